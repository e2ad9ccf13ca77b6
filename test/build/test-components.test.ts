/** The script that installs what tests need, and the table that tests ask, name the same programs and packages. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { component, PACKAGES } from "../components/component.ts";
import { MODEL_PACKAGES } from "../components/embedding-model.ts";
import { SERVER_PACKAGES } from "../components/mcp-server.ts";
import { CLIENT_PACKAGES, NODE_VERSION, npmClient } from "../components/npm-client.ts";

const SCRIPT = join(REPOSITORY, "scripts", "test-components.sh");

/** The entries of one of the lists of the script. */
function listed(name: string): string[] {
  const [, list = ""] = new RegExp(`^${name}=\\(\\n([^)]*)^\\)`, "m").exec(readFileSync(SCRIPT, "utf8")) ?? [];
  return list
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

test("the script and the table agree", () => {
  expect(listed("COMPONENTS")).toEqual(Object.entries(PACKAGES).map(([program, name]) => `${program}:${name}`));
});

/** The entries that the table asks for. */
function specs(isExtra: boolean): string[] {
  return Object.entries(CLIENT_PACKAGES)
    .filter(([, client]) => (client.isExtra ?? false) === isExtra)
    .map(([name, client]) => `${name}:${client.package}@${client.version}`);
}

test("the script and the table agree on the agents from npm, and on Node", () => {
  expect(listed("CLIENTS")).toEqual(specs(false));
  expect(listed("MORE_CLIENTS")).toEqual(specs(true));
  expect(listed("MODELS")).toEqual([`"embeddings:${MODEL_PACKAGES.join(" ")}"`]);
  expect(listed("SERVERS")).toEqual(Object.entries(SERVER_PACKAGES).map(([name, spec]) => `${name}:${spec}`));
  expect(readFileSync(SCRIPT, "utf8")).toContain(`\nNODE_VERSION=${NODE_VERSION}\n`);
});

test.skipIf(process.platform !== "linux")("an agent that is missing is named with what installs it", () => {
  const caches = process.env["XDG_CACHE_HOME"];
  process.env["XDG_CACHE_HOME"] = join(REPOSITORY, "no-such-folder");
  try {
    expect(npmClient("codex").note).toBe(" (needs @openai/codex@0.169.0: scripts/test-components.sh)");
    expect(npmClient("copilot").note).toBe(
      " (needs @github/copilot@1.0.102: scripts/test-components.sh --clients=all)",
    );
  } finally {
    if (caches === undefined) delete process.env["XDG_CACHE_HOME"];
    else process.env["XDG_CACHE_HOME"] = caches;
  }
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
  const text = readFileSync(SCRIPT, "utf8").replaceAll("$(id -u)", "1000").replaceAll("command -v apt-get", "true");
  const run = Bun.spawnSync([Bun.which("bash") ?? "bash", "-c", text.replaceAll("command -v", "false")], {
    stdin: "ignore",
  });
  expect(run.exitCode).toBe(0);
  const packages = [...new Set(Object.values(PACKAGES))].sort().join(" ");
  expect(run.stdout.toString()).toBe(
    `components: not root, so nothing is installed; for all tests run: sudo apt-get install ${packages}\n` +
      "components: no npm, so no agents are installed and their tests are skipped\n",
  );
});
