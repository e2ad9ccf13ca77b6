/**
 * The client against the compiled binary, in Node and in Bun: calls with types, changes, events, what is given up, and every
 * way in which a host can fail to be there.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { Place } from "../binary/serve-process.ts";
import { builtClient, installClient, releaseClient, RUNTIMES, runProgram } from "./client-folder.ts";

afterAll(releaseClient);

test("the names are ours, whatever a configuration file says, unless they are asked for", async () => {
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
  test("the client has typed calls, failures, changes and their history", async () => {
    using place = new Place();
    writeFileSync(join(place.root, "report.txt"), "one\ntwo\n");
    const ran = await runProgram(
      place,
      command,
      `const client = await open({ client: { name: "a test" } });
       show(client.server.name, client.instructions.startsWith("List, read, search and edit files under "), client.pid > 0);
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

  test("the client has events, progress, cancellation and time limits", async () => {
    using place = new Place();
    // Sparse: no machine has hashed it before it is asked how far it is, or given up.
    writeFileSync(join(place.root, "endless.bin"), "");
    truncateSync(join(place.root, "endless.bin"), 8 * 1024 ** 4);
    const ran = await runProgram(
      place,
      command,
      `const client = await open({ mode: "bypass" });
       const events = await client.events();
       const seen = [];
       const until = async (wanted) => {
         while (seen.at(-1) !== wanted) seen.push((await events.next()).value.event);
       };
       const hash = (options) => thrown(client.call("hash_file", { path: "endless.bin" }, options));
       const controller = new AbortController();
       const call = hash({ signal: controller.signal });
       await until("started");
       controller.abort();
       const error = await call;
       show(error instanceof CallError, error.code);
       show((await thrown(client.call("stat", { path: "." }, { signal: controller.signal }))).code);
       // Before any work for it has begun.
       show((await hash({ timeoutMs: 3 })).code);
       const another = new AbortController();
       let progress = 0;
       const onProgress = (told) => { progress = told.progress; another.abort(); };
       show((await hash({ signal: another.signal, onProgress })).code, progress > 0);
       await until("failed");
       show(seen[0], seen.at(-1));
       for await (const _ of events) break;
       show((await events.next()).done);
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
        ["cancelled", true],
        ["proposed", "failed"],
        [true],
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
    // Sparse: no machine has hashed it before the host is killed.
    writeFileSync(join(place.root, "endless.bin"), "");
    truncateSync(join(place.root, "endless.bin"), 8 * 1024 ** 4);
    const ran = await runProgram(
      place,
      command,
      `const client = await open();
       const events = await client.events();
       const call = thrown(client.call("hash_file", { path: "endless.bin" }));
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

  test("a host that does not end is asked to end after its grace, and killed after another", async () => {
    using place = new Place();
    const stubborn = join(place.path, "stubborn");
    const answer = '{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"s","version":"1"}}}';
    writeFileSync(stubborn, `#!/bin/sh\ntrap '' TERM\necho '${answer}'\nwhile :; do sleep 0.05; done\n`);
    chmodSync(stubborn, 0o755);
    const ran = await runProgram(
      place,
      command,
      `import { ChildProcess } from "node:child_process";
       const client = await open({ binary: ${JSON.stringify(stubborn)}, graceMs: 200 });
       const happened = [];
       const { kill } = ChildProcess.prototype;
       ChildProcess.prototype.kill = function (signal) {
         happened.push(signal);
         return kill.call(this, signal);
       };
       // Each signal with the time that it was put off for; nobody looks at a clock.
       const timer = globalThis.setTimeout;
       globalThis.setTimeout = (run, ms) => timer(() => (happened.push(ms), run()), ms);
       await client.close();
       let isThere = true;
       try { process.kill(client.pid, 0); } catch { isThere = false; }
       show(isThere, happened);`,
    );
    expect(ran).toMatchObject({ code: 0, lines: [[false, [200, "SIGTERM", 400, "SIGKILL"]]] });
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
  const flags = "--noEmit --strict --target es2022 --module nodenext --lib es2023,esnext.disposable,dom".split(" ");
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
  expect(imports.toSorted((a, b) => a.localeCompare(b))).toEqual(["node:child_process", "node:string_decoder"]);
  expect(/\bBun\b|\brequire\(/.test(text)).toBe(false);
  expect(existsSync(join(folder, "types", "client", "index.d.ts"))).toBe(true);
});

function auditOf({ stateDir }: Place): string {
  const folder = join(stateDir, "audit");
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
}
