/**
 * Programs that are told of proposals (`"on": "proposal"`): with what, and that no call waits for one or learns of one that fails.
 */
import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configFile } from "../../src/config/file-schema.ts";
import { component } from "../components/component.ts";
import { openTestHost, type Json, type TestHost } from "../host/in-memory-host.ts";
import { until } from "../waits/until.ts";

const programs = component("bash", "mkfifo");

/** A folder for what the program says, and for what holds it up. */
function folder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "ringfence-told-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

function openWith(script: string, tool = "*", timeout_ms = 60_000): TestHost {
  const hooks = [{ on: "proposal" as const, tool, run: ["/bin/sh", "-c", script], timeout_ms }];
  return openTestHost({ files: { "a.txt": "a\n" }, config: { hooks } });
}

function toldIn(path: string): Json[] {
  return existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
}

test.skipIf(programs.isMissing)(
  `a program is told of every proposal of its tools, without a digest and without contents${programs.note}`,
  async () => {
    using place = folder();
    const file = join(place.path, "told");
    await using host = openWith(`cat >>'${file}'; echo >>'${file}'`, "group:change");
    await host.call("read_file", { path: "a.txt" });
    const { proposal } = await host.call("write_file", { path: "b.txt", content: "the content\n" });
    const told = await until("the program to be told", () => toldIn(file)[0]);
    expect(told).toEqual({
      on: "proposal",
      proposal: proposal?.id,
      tool: "write_file",
      summary: "Create b.txt (12 bytes)",
      risk: "R2",
      paths: proposal?.paths,
      expires_at: proposal?.expiresAt,
    });
    expect(readFileSync(file, "utf8")).not.toContain("the content");
    expect(readFileSync(file, "utf8")).not.toContain(String(proposal?.digest));
    expect(toldIn(file)).toHaveLength(1);
  },
);

test.skipIf(programs.isMissing)(
  `no call waits for the program, and what a flood leaves out is counted${programs.note}`,
  async () => {
    using place = folder();
    const [file, gate] = [join(place.path, "told"), join(place.path, "gate")];
    Bun.spawnSync(["mkfifo", gate]);
    await using host = openWith(`cat >>'${file}'; echo >>'${file}'; [ -p '${gate}' ] && cat '${gate}'; true`);
    for (let at = 0; at < 25; at++) {
      const { proposal } = await host.call("write_file", { path: `n${at}.txt`, content: "n\n" });
      expect(proposal?.id).toStartWith("p_");
    }
    // The first one is told and hangs until now; 20 wait, 4 are counted.
    await until("the first to be told", () => toldIn(file).length === 1);
    writeFileSync(gate, "");
    rmSync(gate);
    const all = await until("the others to be told", () => toldIn(file).length === 21 && toldIn(file));
    expect(all.map(({ missed }: Json) => missed ?? 0).reduce((a: number, b: number) => a + b, 0)).toBe(4);
  },
);

test("a program that fails or is not there is a line on stderr and nothing else", async () => {
  for (const script of ["exit 3", "kill $$"]) {
    await using host = openWith(script);
    expect((await host.call("write_file", { path: "b.txt", content: "b\n" })).proposal?.id).toStartWith("p_");
    await until("the line", () => host.log().some((line) => line.includes("the hook of * failed")));
  }
});

const hook = async (more: object): Promise<boolean> =>
  (await configFile(["hooks"])).safeParse({ hooks: [{ tool: "*", ...more }] }).success;

test("on and run stand together and beside no other kind of hook", async () => {
  expect(await hook({ on: "proposal", run: ["/bin/true"] })).toBe(true);
  expect(await hook({ on: "proposal" })).toBe(false);
  expect(await hook({ run: ["/bin/true"] })).toBe(false);
  expect(await hook({ on: "proposal", run: ["/bin/true"], before: ["/bin/true"] })).toBe(false);
  expect(await hook({ on: "answer", run: ["/bin/true"] })).toBe(false);
  expect(await hook({ before: ["/bin/true"] })).toBe(true);
});
