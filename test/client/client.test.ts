/**
 * The client against the compiled binary, in Node and in Bun: calls with types, changes, events, what is given up, and every
 * way in which a host can fail to be there.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { Place } from "../binary/serve-process.ts";
import { builtClient, installClient, releaseClient, RUNTIMES, runProgram } from "./client-folder.ts";

afterAll(releaseClient);

test("names are ours, whatever a configuration file says, unless they are asked for", async () => {
  using place = new Place();
  writeFileSync(join(place.root, "a.txt"), "one\n");
  const file = join(place.path, "ringfence.json");
  writeFileSync(file, '{ "dialect": "gemini" }');
  const ran = await runProgram(
    place,
    process.execPath,
    `const ours = await open({ config: ${JSON.stringify(file)} });
     show((await ours.call("read_file", { path: "a.txt" })).text);
     await ours.close();
     const theirs = await open({ args: ["--dialect=claude"] });
     show((await theirs.callTool("Read", { file_path: "a.txt" })).text);
     await theirs.close();`,
  );
  expect(ran.lines).toEqual([["one\n"], [expect.stringContaining("one\n")]]);
});

describe.each(RUNTIMES)("in %s", (_name, command) => {
  test("typed calls, failures, changes and their history", async () => {
    using place = new Place();
    writeFileSync(join(place.root, "report.txt"), "one\ntwo\n");
    const ran = await runProgram(
      place,
      command,
      `const client = await open({ client: { name: "a test" } });
       show(client.server.name, client.instructions.includes("Files can be reached"), client.pid > 0);
       show((await client.listTools()).some(({ name }) => name === "grep"));
       const grep = await client.call("grep", { pattern: "two" });
       show(grep.structured.matches, grep.text);
       const error = await thrown(client.call("read_file", { path: "reprot.txt" }));
       show(error instanceof CallError, error.code, error.candidates, error.hint, error.retry);
       show((await client.callTool("read_file", { path: "reprot.txt" })).failure.code);
       show((await thrown(client.callTool("grepp"))).code);
       const { proposal } = await client.call("edit_file", { path: "report.txt", old_text: "two", new_text: "2" });
       show((await client.proposals.list()).length, (await client.proposals.get(proposal.id)).files[0].added);
       const { transaction } = await client.proposals.apply(proposal.id);
       show((await client.call("read_file", { path: "report.txt" })).text);
       show((await client.history.list())[0].transaction === transaction, (await client.history.undo()).canUndo);
       show((await thrown(client.proposals.apply(proposal.id))).code, (await thrown(client.proposals.reject("p_x"))).code);
       show((await client.explain("delete", { path: "report.txt" })).decision.type);
       show((await client.grants.add("write_file(*)")).rule, (await client.grants.list()).length);
       await client.close();
       await client.close();
       show((await thrown(client.call("stat", { path: "." }))).message);`,
    );
    expect(ran.stderr).toBe("");
    expect(ran.code).toBe(0);
    expect(ran.lines).toEqual([
      ["ringfence", true, true],
      [true],
      [[{ path: "report.txt", line: 2, column: 1, text: "two" }], "report.txt:2:two"],
      [true, "not_found", ["report.txt"], 'Did you mean "report.txt"?', "changed"],
      ["not_found"],
      ["not_found"],
      [1, 1],
      ["one\n2\n"],
      [true, true],
      ["conflict", "not_found"],
      ["ask"],
      ["write_file(*)", 1],
      ["Cannot call: the client was closed"],
    ]);
    expect(readFileSync(join(place.root, "report.txt"), "utf8")).toBe("one\ntwo\n");
    expect(auditOf(place)).toContain('"client":"a test"');
  });

  test("events, progress, cancellation and time limits", async () => {
    using place = new Place();
    mkdirSync(join(place.root, "many"));
    for (let at = 0; at < 2000; at++) writeFileSync(join(place.root, "many", `${at}.txt`), "x".repeat(4000));
    const ran = await runProgram(
      place,
      command,
      `const client = await open({ timeoutMs: 60_000, mode: "bypass" });
       const events = await client.events();
       const controller = new AbortController();
       const call = thrown(client.call("grep", { pattern: "(x+x+)+y", engine: "backtracking" }, { signal: controller.signal }));
       setTimeout(() => controller.abort(), 50);
       const error = await call;
       show(error instanceof CallError, error.code);
       show((await thrown(client.call("stat", { path: "." }, { signal: controller.signal }))).code);
       // Before the process for it has begun.
       show((await thrown(client.call("grep", { pattern: "(x+x+)+y", engine: "backtracking" }, { timeoutMs: 3 }))).code);
       let progress = 0;
       const copy = { source: "many", destination: "more", recursive: true };
       show((await client.call("copy", copy, { onProgress: () => progress++ })).structured.status, progress > 0);
       const seen = [];
       for await (const { event } of events) { seen.push(event); if (event === "failed") break; }
       show(seen[0], seen.at(-1), (await events.next()).done);
       const rest = await client.events();
       await client.close();
       for await (const _ of rest);
       show("closed");`,
    );
    expect(ran).toMatchObject({
      code: 0,
      stderr: "",
      lines: [
        [true, "cancelled"],
        ["cancelled"],
        ["timed_out"],
        ["applied", true],
        ["proposed", "failed", true],
        ["closed"],
      ],
    });
  });

  test("a host that cannot be started says why", async () => {
    using place = new Place();
    const program = (name: string, text: string): string => {
      const path = join(place.path, name);
      writeFileSync(path, `#!/bin/sh\n${text}\n`);
      chmodSync(path, 0o755);
      return path;
    };
    const noisy = program("noisy", "echo hello; exec cat");
    const silent = program("silent", "exec cat >/dev/null");
    const broken = program("broken", "echo the disk is on fire >&2; exit 7");
    const ran = await runProgram(
      place,
      command,
      `for (const options of ${JSON.stringify([
        { binary: "/nonexistent/ringfence" },
        { binary: place.root },
        { roots: ["/nonexistent"] },
        { binary: noisy },
        { binary: silent, startTimeoutMs: 200 },
        { binary: broken },
      ])}) {
         const error = await thrown(open(options));
         show(error instanceof ConnectionError, error.message, error.exitCode);
       }
       const signal = AbortSignal.abort();
       show((await thrown(open({ signal }))).code);`,
    );
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    const messages = ran.lines.map((line) => (line as unknown[])[1]);
    const parts = [
      "there is no such program; give its path as the option",
      "Cannot start",
      'Cannot open the root "/nonexistent"',
      'it wrote to stdout what is no message: "hello"',
      "it did not answer in time",
      "it ended before it answered (exit code 7)\nIts stderr ends with:\nthe disk is on fire",
    ];
    for (const [at, part] of parts.entries()) expect(messages[at]).toContain(part);
    expect(ran.lines.map((line) => (line as unknown[])[0])).toEqual([...parts.map(() => true), "cancelled"]);
  });

  test("a host that dies ends everything that waits, and says how", async () => {
    using place = new Place();
    const ran = await runProgram(
      place,
      command,
      `const client = await open();
       const events = await client.events();
       const call = thrown(client.call("grep", { pattern: "x" }));
       process.kill(client.pid, "SIGKILL");
       const error = await call;
       show(error instanceof ConnectionError, error.message, error.signal);
       show((await thrown(client.call("stat", { path: "." }))).message);
       const read = async () => { for await (const _ of events); };
       show((await thrown(read())).message, (await thrown(client.events())).message);
       await client.close();`,
    );
    const message = "The host has ended by SIGKILL";
    expect(ran).toMatchObject({
      code: 0,
      stderr: "",
      lines: [[true, message, "SIGKILL"], [message], [message, message]],
    });
  });

  test("a host that does not end is killed after its grace", async () => {
    using place = new Place();
    const stubborn = join(place.path, "stubborn");
    const answer = '{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"s","version":"1"}}}';
    writeFileSync(stubborn, `#!/bin/sh\ntrap '' TERM\necho '${answer}'\nwhile :; do sleep 0.05; done\n`);
    chmodSync(stubborn, 0o755);
    const ran = await runProgram(
      place,
      command,
      `const client = await open({ binary: ${JSON.stringify(stubborn)}, graceMs: 200 });
       const begun = performance.now();
       await client.close();
       const tookMs = performance.now() - begun;
       let isThere = true;
       try { process.kill(client.pid, 0); } catch { isThere = false; }
       show(isThere, tookMs >= 390 && tookMs < 10_000);`,
    );
    expect(ran).toMatchObject({ code: 0, lines: [[false, true]] });
  });
});

test("the types of what is built hold in a program of another folder", async () => {
  using place = new Place();
  await installClient(place);
  writeFileSync(
    join(place.path, "program.ts"),
    `import { connect, type Client } from "ringfence/client";
     const client: Client = await connect({ roots: ["."] });
     const { structured } = await client.call("read_file", { path: "a" });
     export const lines: number | undefined = structured.total_lines;
     // @ts-expect-error an argument that the tool does not have
     await client.call("read_file", { path: "a", colour: 1 });
     // @ts-expect-error no such option
     await connect({ rooots: [] });`,
  );
  const flags =
    "--noEmit --strict --target es2022 --module nodenext --lib es2023,esnext.disposable,dom".split(" ");
  const tsc = join(REPOSITORY, "node_modules", "typescript", "bin", "tsc");
  const child = Bun.spawn([process.execPath, tsc, ...flags, "--types", "", "program.ts"], {
    cwd: place.path,
    stdout: "pipe",
  });
  const output = await child.stdout.text();
  expect([await child.exited, output]).toEqual([0, ""]);
});

test("what is built is one file that imports nothing but Node's own", async () => {
  const folder = join((await builtClient()).path, "client");
  expect(readdirSync(folder).sort()).toEqual(["index.js", "types"]);
  const text = readFileSync(join(folder, "index.js"), "utf8");
  const imports = [...text.matchAll(/^import .* from "([^"]+)";$/gm)].map(([, from = ""]) => from);
  expect(imports.toSorted((a, b) => a.localeCompare(b))).toEqual([
    "node:child_process",
    "node:string_decoder",
  ]);
  expect(/\bBun\b|\brequire\(/.test(text)).toBe(false);
  expect(existsSync(join(folder, "types", "client", "index.d.ts"))).toBe(true);
});

function auditOf({ stateDir }: Place): string {
  const folder = join(stateDir, "audit");
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
}
