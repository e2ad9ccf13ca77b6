/**
 * A pack that is no part of `src`, in a program of its own: its tools are under the policy, the record and the limits like
 * all others, and the code of its power runs in a process that has nothing but what it is asked.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../waits/until.ts";
import { Place, proposalOf, ServeProcess, type WireMessage } from "../binary/serve-process.ts";

const REPOSITORY = join(import.meta.dir, "..", "..");
const ENTRY = join(REPOSITORY, "test", "fixtures", "packs", "notes-host.ts");
const NOTES = "apple pie\nApple tree\npear\n";

let built: Place;
let binary = "";

beforeAll(async () => {
  built = new Place();
  binary = join(built.path, "notes-host");
  const args = [join(REPOSITORY, "scripts", "build.ts"), `--entry=${ENTRY}`, `--out=${binary}`];
  const child = Bun.spawn([process.execPath, ...args], { stdout: "pipe", stderr: "pipe" });
  const said = (await child.stdout.text()) + (await child.stderr.text());
  if ((await child.exited) !== 0) throw new Error(said);
});

afterAll(() => built[Symbol.dispose]());

interface NotesHost extends AsyncDisposable {
  readonly serve: ServeProcess;
  readonly call: (name: string, args: object) => Promise<WireMessage>;
  readonly text: (name: string, args: object) => Promise<string>;
  readonly place: Place;
}

let lastId = 0;

/** @param options of `runHost`, besides its root and its state folder */
async function startNotes(options: object = { packSettings: { notes: {} } }): Promise<NotesHost> {
  const place = new Place();
  writeFileSync(join(place.root, "notes.txt"), NOTES);
  const NOTES_HOST = JSON.stringify({ roots: [place.root], stateDir: place.stateDir, fence: "auto", ...options });
  const serve = await ServeProcess.start(place, { binary, command: [], env: { NOTES_HOST } });
  const call = async (name: string, args: object): Promise<WireMessage> => {
    const id = ++lastId;
    serve.call(id, name, args);
    return await serve.answer(id);
  };
  return {
    serve,
    place,
    call,
    text: async (name, args) => (await call(name, args)).result?.content?.at(-1)?.text ?? "",
    async [Symbol.asyncDispose]() {
      await serve[Symbol.asyncDispose]();
      place[Symbol.dispose]();
    },
  };
}

function codeOf({ result }: WireMessage): unknown {
  return result?._meta?.["dev.ringfence/failure"]?.code;
}

/** Tool, decision and targets of every decision on record. */
function decisions({ place }: NotesHost): unknown[] {
  const folder = join(place.stateDir, "audit");
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  return lines
    .filter(({ event, targets }) => event === "decided" && targets !== undefined)
    .map(({ tool, decision, targets }) => [tool, decision, targets]);
}

async function toolNames({ serve }: NotesHost): Promise<string[]> {
  const { result } = await serve.ask(++lastId, "tools/list");
  return result?.tools?.map(({ name }) => name) ?? [];
}

describe("a pack", () => {
  test("a pack is off, with all its tools, until the configuration has its name", async () => {
    await using host = await startNotes({});
    expect(await toolNames(host)).not.toContain("search_notes");
    expect(await host.text("system_info", {})).toContain("pack notes (Notes): off");
  });

  test("a pack brings its tools last, and its code is not run by the list of tools", async () => {
    await using host = await startNotes();
    expect((await toolNames(host)).slice(-5)).toEqual([
      "search_notes",
      "misbehave",
      "fetch_note",
      "save_note",
      "read_note",
    ]);
    expect(await host.text("system_info", {})).toContain(
      "pack notes (Notes): on; finder runs in sandbox; fetcher runs in net; store runs in host; case counts",
    );
  });

  test("a tool of a pack reads through the host and has its power do the work", async () => {
    await using host = await startNotes();
    expect(await host.text("search_notes", { path: "notes.txt", word: "apple" })).toBe("apple pie");
    expect(codeOf(await host.call("search_notes", { path: "../notes.txt", word: "apple" }))).toBe("outside_scope");
  });

  test("a pack gets its settings in the code of its power and in its doctor", async () => {
    await using host = await startNotes({ packSettings: { notes: { ignore_case: true } } });
    expect(await host.text("search_notes", { path: "notes.txt", word: "APPLE" })).toBe("apple pie\nApple tree");
    expect(await host.text("system_info", {})).toMatch(
      /pack notes \(Notes\): on; finder runs in sandbox \(.*no network, no files, no programs\); .*; case is ignored/,
    );
  });

  test.each([
    [{ nots: {} }, 'packs.nots: there is no pack "nots"; did you mean notes?'],
    [{ notes: { ignore_cas: true } }, 'packs.notes: there is no key "ignore_cas"; did you mean ignore_case?'],
    [{ notes: { ignore_case: "yes" } }, "packs.notes: ignore_case is wrong"],
  ])("a host does not start when packs is %j, and names the key", async (packSettings, said) => {
    using place = new Place();
    const NOTES_HOST = JSON.stringify({ roots: [place.root], stateDir: place.stateDir, packSettings });
    const child = Bun.spawn([binary], { env: { ...process.env, NOTES_HOST }, stdin: "ignore", stderr: "pipe" });
    expect(await child.stderr.text()).toContain(said);
    expect(await child.exited).not.toBe(0);
  });
});

describe("a rule", () => {
  test("a rule about a tool of a pack decides as about any other", async () => {
    const rules = [{ deny: "search_notes(secret*)" }];
    await using host = await startNotes({ packSettings: { notes: {} }, rules });
    writeFileSync(join(host.place.root, "secrets.txt"), NOTES);
    expect(codeOf(await host.call("search_notes", { path: "secrets.txt", word: "apple" }))).toBe("denied");
    expect(await host.text("search_notes", { path: "notes.txt", word: "pear" })).toBe("pear");
  });
});

describe("a URL", () => {
  test("a URL is fetched by a helper that has a network and no files", async () => {
    using server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("from elsewhere") });
    const url = `http://127.0.0.1:${server.port}/note`;
    const rules = [{ allow: `fetch_note(http://127.0.0.1:${server.port}/**)` }];
    await using host = await startNotes({ packSettings: { notes: {} }, rules });
    expect(await host.text("fetch_note", { url })).toBe("from elsewhere");
    expect(await host.text("fetch_note", { url, path: join(host.place.root, "notes.txt") })).toBe("EACCES");
    expect(await host.text("system_info", {})).toMatch(/fetcher runs in net \(.*, network, no files, no programs\)/);
  });

  test("a URL is allowed, asked about and denied by rules on it, and each decision is on record", async () => {
    const rules = [{ deny: "fetch_note(https://evil.example/**)" }];
    await using host = await startNotes({ packSettings: { notes: {} }, rules });
    expect(codeOf(await host.call("fetch_note", { url: "https://sub.evil.example/a" }))).toBe("denied");
    const sent = await host.call("fetch_note", { url: "https://docs.example/a", method: "POST" });
    expect(codeOf(sent)).toBe("needs_approval");
    expect(decisions(host)).toEqual([
      ["fetch_note", "deny", ["GET https://sub.evil.example/a"]],
      ["fetch_note", "ask", ["POST https://docs.example/a"]],
    ]);
  });
});

describe("a record", () => {
  test("a record is written when its proposal is applied, by the very input that was shown", async () => {
    await using host = await startNotes();
    const answer = await host.call("save_note", { key: "project/plan", text: "ship it" });
    const proposal = proposalOf(answer);
    expect(proposal).toMatchObject({ tool: "save_note", summary: "Save the note project/plan" });
    expect(codeOf(await host.call("read_note", { key: "project/plan" }))).toBe("not_found");
    const applied = await host.serve.ask(++lastId, "ringfence/proposals/apply", { id: proposal.id });
    expect(applied.result).toMatchObject({ status: "applied" });
    expect(await host.text("read_note", { key: "project/plan" })).toBe("ship it");
    expect(decisions(host)).toContainEqual(["save_note", "ask", ["write notes/project/plan"]]);
  });

  test("a record is allowed and denied by rules on its key, and explained by its name", async () => {
    const rules = [{ allow: "save_note(drafts/**)" }, { deny: "*_note(people/**)" }];
    await using host = await startNotes({ packSettings: { notes: {} }, rules });
    expect(await host.text("save_note", { key: "drafts/a", text: "b" })).toBe("saved drafts/a");
    expect(codeOf(await host.call("save_note", { key: "people/jane", text: "b" }))).toBe("denied");
    const { result } = await host.serve.ask(++lastId, "ringfence/policy/explain", {
      name: "read_note",
      arguments: { key: "people/jane" },
    });
    expect(result).toMatchObject({ targets: ["read notes/people/jane"], decision: { type: "deny" } });
  });
});

describe("the helper of a power", () => {
  test("a helper is one process for many calls", async () => {
    await using host = await startNotes();
    const pids = [await host.text("misbehave", { how: "pid" }), await host.text("misbehave", { how: "pid" })];
    expect(pids[0]).toMatch(/^\d+$/);
    expect(pids[1]).toBe(pids[0] ?? "");
  });

  test.each([
    ["a file of a root", "read", (place: Place) => join(place.root, "notes.txt")],
    ["a file of the system", "read", () => "/etc/passwd"],
    ["a directory of the state folder", "read", (place: Place) => place.stateDir],
    ["a program", "exec", () => "/bin/sh"],
  ])("a helper cannot reach %s", async (_what, how, pathIn) => {
    await using host = await startNotes();
    expect(await host.text("misbehave", { how, path: pathIn(host.place) })).toMatch(/^(?:EACCES|EPERM)$/);
  });

  test("a helper cannot reach a server of this machine", async () => {
    let connections = 0;
    const hear = { open: () => void connections++, data: () => undefined };
    using server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: hear });
    await using host = await startNotes();
    expect(await host.text("misbehave", { how: "connect", path: String(server.port) })).toBe("not connected");
    expect(connections).toBe(0);
  });

  test("a helper has bounded memory", async () => {
    await using host = await startNotes();
    expect((await host.call("misbehave", { how: "memory" })).result?.isError).toBe(true);
    expect(await host.text("misbehave", { how: "pid" })).toMatch(/^\d+$/);
  });

  test("the engine of a helper has the memory that compiled code lies in, without which it is ten times slower", async () => {
    await using host = await startNotes();
    const maps = readFileSync(`/proc/${await host.text("misbehave", { how: "pid" })}/maps`, "utf8");
    expect(maps).toMatch(/ rwxp 00000000 00:00 0 *$/m);
  });

  test("a helper answers no more than its limit", async () => {
    await using host = await startNotes();
    expect(codeOf(await host.call("misbehave", { how: "large" }))).toBe("too_large");
  });

  test.each([
    ["without a newline", "printed"],
    ["that looks like half an answer", '{"id":1'],
    ["that is no answer", '{"id":1,"bug":5}\n'],
    ["of a failure that there is not", '{"id":1,"failure":{"code":"nope"}}\n'],
  ])("a print %s costs one call at most, and neither the helper nor the launcher", async (_what, text) => {
    const rules = [{ allow: "fetch_note(http://127.0.0.1:1/**)" }];
    await using host = await startNotes({ packSettings: { notes: {} }, rules });
    const { result } = await host.call("misbehave", { how: "print", path: text });
    if (text.endsWith("\n")) expect(result?._meta?.["dev.ringfence/failure"]?.code).toBe("command_failed");
    else expect(result?.content?.at(-1)?.text).toBe(String(text.length));
    expect(await host.text("misbehave", { how: "pid" })).toMatch(/^\d+$/);
    expect((await host.call("fetch_note", { url: "http://127.0.0.1:1/", path: "/" })).result?.isError).toBeFalsy();
  });

  test("a helper fails the call in which it is lost, and the next call has a new one", async () => {
    await using host = await startNotes();
    const before = await host.text("misbehave", { how: "pid" });
    expect(codeOf(await host.call("misbehave", { how: "crash" }))).toBe("command_failed");
    const after = await host.text("misbehave", { how: "pid" });
    expect(after).toMatch(/^\d+$/);
    expect(after).not.toBe(before);
  });

  test("a helper has a time limit, also when it never gives way", async () => {
    await using host = await startNotes({ packSettings: { notes: {} }, budgets: { call: { wall_ms: 300 } } });
    expect(codeOf(await host.call("misbehave", { how: "loop" }))).toBe("timed_out");
  });

  test("a helper is told when the caller leaves, and goes on with other calls", async () => {
    await using host = await startNotes();
    await host.text("misbehave", { how: "pid" });
    const id = ++lastId;
    host.serve.call(id, "misbehave", { how: "wait" });
    host.serve.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
    expect(await host.text("misbehave", { how: "pid" })).toMatch(/^\d+$/);
  });

  test("a helper is killed when it does not stop, and the next call does not wait for that", async () => {
    await using host = await startNotes();
    const before = await host.text("misbehave", { how: "pid" });
    const ticks = ticksOf(before);
    const id = ++lastId;
    host.serve.call(id, "misbehave", { how: "loop" });
    await until("the loop runs", () => ticksOf(before) > ticks + 2);
    host.serve.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
    expect(await host.text("misbehave", { how: "pid" })).not.toBe(before);
    await until("the loop is killed", () => !existsSync(`/proc/${before}`));
  });
});

/** How long a process has worked, in ticks of the kernel. */
function ticksOf(pid: string): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return Number(user) + Number(system);
}
