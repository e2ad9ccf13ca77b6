/**
 * Hook programs of a host behind the kernel fence, where it can start nothing itself: they decide and are told all the
 * same, in a fence of their own that is as wide as the configuration says, and whatever goes wrong with one means ask.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readResult } from "../../src/calls/call-result.ts";
import { runRingfence } from "../cli/run-ringfence.ts";
import { until } from "../waits/until.ts";
import { hasLandlock } from "./has-landlock.ts";
import { Place, ServeProcess, type WireMessage } from "./serve-process.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
  writeFileSync(join(place.root, "a.txt"), "alpha\n");
});
afterEach(() => place[Symbol.dispose]());

function program(name: string, text: string, folder: string = place.path): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

async function serve(hooks: readonly object[], ...args: string[]): Promise<ServeProcess> {
  const path = join(place.path, "ringfence.json");
  writeFileSync(path, JSON.stringify({ hooks }));
  const env = { HOST_ONLY: "of the host", MEANT: "inherited" };
  return await ServeProcess.start(place, { args: ["--config", path, "--fence=require", ...args], env });
}

async function failureOf(host: ServeProcess, tool: string, given: object = { path: "a.txt" }) {
  host.call(`${tool}-${JSON.stringify(given)}`, tool, given);
  const { result }: WireMessage = await host.answer(`${tool}-${JSON.stringify(given)}`);
  return readResult(result ?? {}).failure;
}

/** What a program told, when all of it is there. */
async function toldIn(path: string, end: string): Promise<string> {
  return await until(`${end} in ${path}`, () => {
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    return text.includes(end) && text;
  });
}

/** Only a program that hangs takes this long, so a slow machine changes no decision. */
const timeout_ms = 60_000;

describe.skipIf(!hasLandlock())("hooks behind the fence", () => {
  test("deny, ask, and let pass; what fails, is slow, says too much or lies in a root means ask", async () => {
    const deny = program("deny", 'cat >/dev/null; echo warning >&2; echo \'{"decision":"deny","reason":"said no"}\'');
    await using host = await serve([
      { tool: "grep", before: [deny], timeout_ms },
      { tool: "stat", before: ["/bin/sh", program("quiet", "cat >/dev/null; echo warning >&2")], timeout_ms },
      { tool: "glob", before: [program("fail", "echo '{}'; exit 3")], timeout_ms },
      {
        tool: "tree",
        before: [program("slow", "trap '' TERM; sleep 86427 & wait; sleep 86427")],
        timeout_ms: 300,
      },
      { tool: "hash_file", before: [program("loud", "yes '{}' | head -c 100000")], timeout_ms },
      { tool: "disk_usage", before: [program("inside", "echo '{}'", place.root)], timeout_ms },
      { tool: "system_info", before: [join(place.path, "missing")] },
      { tool: "diff_files", before: ["sh", "inside"] },
    ]);
    expect(await failureOf(host, "grep", { pattern: "a" })).toMatchObject({
      code: "denied",
      message: expect.stringContaining("said no"),
    });
    expect(await failureOf(host, "stat")).toBeUndefined();
    expect((await failureOf(host, "tree", {}))?.code).toBe("needs_approval");
    for (const [tool, given] of [
      ["glob", { pattern: "*" }],
      ["hash_file", { path: "a.txt" }],
      ["disk_usage", {}],
      ["system_info", {}],
      ["diff_files", { a: "a.txt", text: "a" }],
    ] as const)
      expect([tool, (await failureOf(host, tool, given))?.code]).toEqual([tool, "needs_approval"]);
    expect(await host.close()).toBe(0);
    const stderr = await host.stderr;
    expect(stderr).toContain("the hook of tree failed: Cannot ask the hook: it took longer than 300 ms");
    expect(stderr).toContain("lies where tools can write");
  });

  test("hooks behind the fence are given the call, and no more of this machine than the configuration says", async () => {
    const [shared, secret] = [join(place.path, "shared"), join(place.path, "secret")];
    mkdirSync(shared);
    writeFileSync(secret, "secret\n");
    const look = program(
      "look",
      [
        `cat > ${shared}/call.json`,
        `env > ${shared}/env`,
        `cat a.txt > ${shared}/root && echo x > made.txt`,
        `cat ${secret} > ${shared}/secret`,
        "exit 0",
      ].join("\n"),
    );
    const told = program("told", `cat > ${shared}/told.json.new && mv ${shared}/told.json.new ${shared}/told.json`);
    await using host = await serve([
      { tool: "read_file", before: [look], after: [told], writes: [shared], inherit: ["MEANT"], timeout_ms },
    ]);
    expect(await failureOf(host, "read_file", { path: "missing.txt" })).toMatchObject({ code: "not_found" });
    expect(JSON.parse(readFileSync(join(shared, "call.json"), "utf8"))).toMatchObject({
      tool: "read_file",
      paths: ["missing.txt"],
      arguments: { path: "missing.txt" },
      decision: { type: "allow" },
    });
    expect(readFileSync(join(shared, "root"), "utf8")).toBe("alpha\n");
    expect(existsSync(join(place.root, "made.txt"))).toBe(false);
    expect(readFileSync(join(shared, "secret"), "utf8")).toBe("");
    const environment = readFileSync(join(shared, "env"), "utf8");
    expect(environment).toContain("MEANT=inherited");
    expect(environment).not.toContain("HOST_ONLY");
    expect(JSON.parse(await toldIn(join(shared, "told.json"), "}"))).toMatchObject({
      tool: "read_file",
      outcome: { status: "failed", code: "not_found" },
    });
  });

  test("hooks behind the fence make a change a proposal, and are told of one that was made", async () => {
    const shared = join(place.path, "shared");
    mkdirSync(shared);
    const ask = program("ask", 'cat >/dev/null; echo \'{"decision":"ask"}\'');
    const told = program("told", `cat >> ${shared}/told.json`);
    await using host = await serve(
      [
        { tool: "write_file", before: [ask], timeout_ms },
        { tool: "create_directory", after: [told], writes: [shared], timeout_ms },
      ],
      "--mode=bypass",
    );
    host.call(1, "write_file", { path: "b.txt", content: "b" });
    expect((await host.answer(1)).result?.["_meta"]).toHaveProperty(["dev.ringfence/proposal"]);
    expect(existsSync(join(place.root, "b.txt"))).toBe(false);
    expect(await failureOf(host, "create_directory", { path: "made" })).toBeUndefined();
    expect(await toldIn(join(shared, "told.json"), "completed")).toContain('"create_directory"');
  });

  test("a program that is told of a proposal is fenced like any hook: it changes no root and sees no proposal", async () => {
    const shared = join(place.path, "shared");
    mkdirSync(shared);
    const told = program(
      "told",
      [
        "echo x > made.txt",
        `ls ${place.stateDir}/proposals > ${shared}/seen 2>/dev/null`,
        `cat > ${shared}/told.json.new && mv ${shared}/told.json.new ${shared}/told.json`,
      ].join("\n"),
    );
    await using host = await serve([{ on: "proposal", tool: "write_file", run: [told], writes: [shared], timeout_ms }]);
    host.call(1, "write_file", { path: "b.txt", content: "b" });
    const meta = (await host.answer(1)).result?.["_meta"];
    const about = JSON.parse(await toldIn(join(shared, "told.json"), "}")) as { proposal: string };
    expect(about.proposal).toBe(meta?.["dev.ringfence/proposal"]?.id ?? "");
    expect(existsSync(join(place.root, "made.txt"))).toBe(false);
    expect(readFileSync(join(shared, "seen"), "utf8")).toBe("");
  });

  test("what a host is telling when its input ends, or when its one call is answered, is told to the end", async () => {
    const told = join(place.path, "told");
    mkdirSync(told);
    const tell = program("tell", `sleep 0.2; cat > "${told}/$1"`);
    const hooks = [
      { tool: "stat", after: [tell, "after"], writes: [told], timeout_ms },
      { on: "proposal", tool: "write_file", run: [tell, "proposal"], writes: [told], timeout_ms },
    ];
    const config = join(place.path, "ringfence.json");
    writeFileSync(config, JSON.stringify({ hooks }));
    const flags = ["--config", config, "--fence=require", "--root", place.root];
    const call = async (...words: string[]): Promise<void> => {
      const { code, stderr } = await runRingfence(place, ["call", ...words, ...flags]);
      expect([code, stderr]).toEqual([0, ""]);
    };
    await call("stat", "path=a.txt");
    await call("write_file", "path=b.txt", "content=x");
    expect(readFileSync(join(told, "after"), "utf8")).toContain('"outcome"');
    expect(readFileSync(join(told, "proposal"), "utf8")).toContain('"on":"proposal"');
    rmSync(join(told, "after"));
    const line = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "stat", arguments: { path: "a.txt" } },
    };
    await runRingfence(place, ["serve", ...flags], { input: `${JSON.stringify(line)}\n` });
    expect(readFileSync(join(told, "after"), "utf8")).toContain('"outcome"');
  });
});
