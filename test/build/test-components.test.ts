/** The script that installs what tests need, and the table that tests ask, name the same programs and packages. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { component, PACKAGES } from "../components/component.ts";

const SCRIPT = join(REPOSITORY, "scripts", "test-components.sh");

test("the script and the table agree", () => {
  const [, list = ""] = /^COMPONENTS=\(\n([^)]*)^\)/m.exec(readFileSync(SCRIPT, "utf8")) ?? [];
  const entries = list
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  expect(entries).toEqual(Object.entries(PACKAGES).map(([program, name]) => `${program}:${name}`));
});

test("a program that is missing is named with its package", () => {
  const path = process.env["PATH"];
  process.env["PATH"] = "";
  try {
    expect(component("git", "setpriv")).toEqual({
      isMissing: true,
      note: " (needs git: apt-get install git)",
    });
  } finally {
    process.env["PATH"] = path;
  }
  expect(component()).toEqual({ isMissing: false, note: "" });
});

test.skipIf(process.platform !== "linux")("without root it changes nothing and says what to run", () => {
  // An empty PATH but for what the script itself needs: every program is missing, and nobody is root.
  const text = readFileSync(SCRIPT, "utf8")
    .replaceAll("$(id -u)", "1000")
    .replaceAll("command -v apt-get", "true");
  const run = Bun.spawnSync([Bun.which("bash") ?? "bash", "-c", text.replaceAll("command -v", "false")], {
    stdin: "ignore",
  });
  expect(run.exitCode).toBe(0);
  const packages = [...new Set(Object.values(PACKAGES))].sort().join(" ");
  expect(run.stdout.toString()).toBe(
    `components: not root, so nothing is installed; for all tests run: sudo apt-get install ${packages}\n`,
  );
});
