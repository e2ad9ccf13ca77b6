/**
 * A person sees everything that approval does: each operation, whatever it is called and however it is encoded, before
 * any diff; all of a command; nothing that hides. The same text in the form, in `show` and in `get`; and nothing is
 * applied that was not looked at.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { binaryPath } from "../binary/build-binary.ts";
import { readResult } from "../../src/calls/call-result.ts";
import type { PendingProposal, ProposalWithFiles } from "../../src/calls/index.ts";
import { Place, ServeProcess, type CallResult, type WireMessage } from "../binary/serve-process.ts";
import { until } from "../waits/until.ts";
import { runAtTerminal } from "./at-terminal.ts";
import { runRingfence, type CliResult } from "./run-ringfence.ts";

let place: Place;
let host: ServeProcess;
let lastId = 0;

beforeEach(async () => {
  place = new Place();
  mkdirSync(join(place.root, "src"));
  writeFileSync(join(place.root, "notes.txt"), "line one\nline two\n");
  writeFileSync(join(place.root, "src/important.py"), "pass\n");
  writeFileSync(join(place.root, "tool.sh"), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(join(place.root, "b.txt"), "b\n");
  symlinkSync("notes.txt", join(place.root, "link"));
  host = await open();
});

afterEach(async () => {
  await host[Symbol.asyncDispose]();
  place[Symbol.dispose]();
});

async function open(args: readonly string[] = []): Promise<ServeProcess> {
  const started = await ServeProcess.start(place, { args });
  const hello = { protocolVersion: "2025-11-25", capabilities: { elicitation: {} }, clientInfo: ME };
  await started.ask("hello", "initialize", hello);
  return started;
}

const ME = { name: "test", version: "1" };
const at = (path: string): string => join(place.root, path);

const isForm = (one: WireMessage): boolean => one.method === "elicitation/create";

interface Asked {
  readonly message: string;
  readonly decisions: readonly string[];
  /** Answers, and gives the end of the call. */
  readonly answer: (content: object) => Promise<CallResult>;
}

/** Calls, and waits for the form. */
async function ask(name: string, given: object): Promise<Asked> {
  const id = `call ${++lastId}`;
  const before = host.messages.length;
  host.call(id, name, given);
  const form = await until("the form", () => host.messages.slice(before).find(isForm));
  const { message, requestedSchema } = form.params as {
    message: string;
    requestedSchema: { properties: { decision: { oneOf: { const: string }[] } } };
  };
  return {
    message,
    decisions: requestedSchema.properties.decision.oneOf.map((one) => one.const),
    answer: async (content) => {
      host.send({ jsonrpc: "2.0", id: form.id, result: { action: "accept", content } });
      return (await host.answer(id)).result ?? {};
    },
  };
}

/** Proposed without asking anybody. */
async function propose(name: string, given: object): Promise<CallResult> {
  const { answer } = await ask(name, given);
  return await answer({});
}

const proposalIn = (result: CallResult): PendingProposal => readResult(result).proposal!;

const labelIn = (result: CallResult): string => `${proposalIn(result).id}@${proposalIn(result).digest}`;

async function proposals(...args: string[]): Promise<CliResult> {
  return await runRingfence(place, ["proposals", ...args, "--state-dir", place.stateDir]);
}

async function get(id: string, more: object = {}): Promise<ProposalWithFiles> {
  const { result } = await host.ask(`get ${++lastId}`, "ringfence/proposals/get", { id, ...more });
  return result as unknown as ProposalWithFiles;
}

const SEVERAL = {
  operations: [
    { op: "edit_file", path: "notes.txt", old_text: "line one", new_text: "line 1" },
    { op: "delete", path: "src/important.py" },
    { op: "write_file", path: "tool.sh", encoding: "base64", content: btoa("\0echo hi\n") },
    { op: "move", source: "b.txt", destination: "conftest.py" },
    { op: "create_directory", path: "n" },
    { op: "delete", path: "link" },
    { op: "write_file", path: "x/y/z.txt", content: "deep\n" },
  ],
};

const lines = (): string[] => [
  `1. Edit ${at("notes.txt")} (18 bytes -> 16 bytes, mode 644, utf-8)`,
  `2. Delete ${at("src/important.py")} (5 bytes, mode 644)`,
  `3. Overwrite ${at("tool.sh")} (10 bytes -> 9 bytes, mode 755, utf-8 -> not text)`,
  `4. Move ${at("b.txt")} -> ${at("conftest.py")} (2 bytes, mode 644)`,
  `5. Create directory ${at("n")} (mode 755)`,
  `6. Delete ${at("link")} (link to "notes.txt")`,
  `7. Create ${at("x/y/z.txt")} (5 bytes, mode 644, utf-8, makes 2 directories above)`,
];

describe("a change of several files", () => {
  test("a change of several files has every operation in a line before any diff, alike in form, show and get", async () => {
    const { message, answer } = await ask("change_files", SEVERAL);
    const diffs = message.indexOf("\n--- ");
    expect(message.slice(0, diffs)).toContain(lines().join("\n"));
    expect(message).toContain("| \\x00echo hi\n");
    const result = await answer({});
    const { text, operations } = await get(proposalIn(result).id);
    expect(text.trimEnd()).toBe(message);
    expect(operations).toEqual(lines().map((line) => line.replace(/^\d\. /, "")));
    expect(await proposals("show", proposalIn(result).id)).toMatchObject({ code: 0, stdout: text });
  });

  test("a change of several files has them in the answer too, without where a link leads, and on record", async () => {
    const result = await propose("change_files", SEVERAL);
    const { text } = readResult(result);
    expect(text).toContain("\nDelete src/important.py (5 bytes).\n");
    expect(text).toContain("\nMove b.txt -> conftest.py (2 bytes).\n");
    expect(text).toContain("\nOverwrite tool.sh (10 bytes -> 9 bytes, mode 755, utf-8 -> not text).\n");
    expect(text).toContain("\nDelete link.\n");
    expect(text.trimEnd()).toEndWith(`Proposal ${labelIn(result)}`);
    await host.close();
    const folder = join(place.stateDir, "audit");
    const record = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    const change = record
      .join("")
      .split("\n")
      .find((line) => line.includes('"event":"change"'));
    expect(JSON.parse(change ?? "{}")).toMatchObject({
      digest: proposalIn(result).digest,
      operations: lines().map((line) => line.replace(/^\d\. /, "")),
    });
  });
});

describe("what a name or an encoding would hide", () => {
  test("a file in UTF-16 is shown as a shell reads it, also where no letter of it changes", async () => {
    const text = Buffer.from("\necho EVIL RAN; \n ").toString("utf16le");
    const { message } = await ask("write_file", { path: "i.sh", content: text, encoding: "utf-16le" });
    expect(message).toContain(`Create ${at("i.sh")} (20 bytes, mode 644, utf-16le with a byte order mark)`);
    expect(message).toContain("| \\xff\\xfe\n| echo EVIL RAN; \n");
    const same = { path: "notes.txt", content: "line one\nline two\n" };
    for (const [encoding, said] of [
      ["utf-16be", "utf-8 -> utf-16be with a byte order mark"],
      ["utf-8-bom", "utf-8 -> utf-8 with a byte order mark"],
    ]) {
      const { message: again } = await ask("write_file", { ...same, encoding });
      expect(again).toContain(said ?? "");
      expect(again).toMatch(/\| (?:\\xfe\\xff\\x00l|\\xef\\xbb\\xbfline one)/);
    }
  });

  test("a new file that can be executed, and what is replaced by a move", async () => {
    const patch = "diff --git a/r b/r\nnew file mode 100755\n--- /dev/null\n+++ b/r\n@@ -0,0 +1,1 @@\n+x\n";
    const { message } = await ask("apply_patch", { patch });
    expect(message).toContain(`1. Create ${at("r")} (2 bytes, mode 755, utf-8)`);
    expect(message).toContain("Note: The file becomes executable.");
    const over = { source: "b.txt", destination: "notes.txt", overwrite: true };
    const moved = await ask("move", over);
    expect(moved.message).toContain(
      `1. Move ${at("b.txt")} -> ${at("notes.txt")} (2 bytes, mode 644, replaces a file of 18 bytes and mode 644)`,
    );
    expect(moved.message).toContain("@@ -1,2 +1,1 @@\n-line one\n-line two\n+b\nid: ");
    expect(JSON.stringify(await moved.answer({}))).not.toContain("line two");
  });

  test.each(["x\nNote: all is well\n\n--- a/y", "a\u200bb", "a\u{e0041}b", "a\u202eb", "a\u2028b"])(
    "the name %j is in one line and seen whole",
    async (path) => {
      const { message } = await ask("write_file", { path, content: "hi\n" });
      expect(message).not.toMatch(/[\u200b\u202e\u2028\u{e0041}]|\nNote:/u);
      expect(message).toContain(`1. Create bytes:${place.root}/`);
    },
  );
});

const long = (marker: string): string =>
  `${Array.from({ length: 9000 }, (_, line) => `line ${line}`).join("\n")}\n${marker}\n`;

/** The command that stands in a message, run by a shell as a person would. @returns what it prints */
async function runAsPrinted(message: string): Promise<string> {
  const [, command = ""] = /`(ringfence [^`]*)`/.exec(message) ?? [];
  const path = `${dirname(await binaryPath())}:${process.env["PATH"]}`;
  const child = Bun.spawn(["sh", "-c", command], { env: { PATH: path, HOME: place.path }, stdin: "ignore" });
  const text = await child.stdout.text();
  expect(await child.exited).toBe(0);
  return text;
}

describe("what does not fit into a form", () => {
  test("a change that does not fit into a form is not applied in one, and is shown whole in pages", async () => {
    const operations = [
      { op: "write_file", path: "long.txt", content: long("THE END") },
      { op: "delete", path: "src/important.py" },
    ];
    const { message, decisions, answer } = await ask("change_files", { operations });
    expect(decisions).toEqual(["wait", "reject"]);
    expect(message).toContain("A form cannot show all of it");
    expect(message).toContain(`2. Delete ${at("src/important.py")}`);
    const result = await answer({ decision: "apply" });
    expect(existsSync(at("long.txt"))).toBe(false);
    const { id } = proposalIn(result);
    const { pages } = await get(id);
    expect(pages).toBeGreaterThan(1);
    let joined = "";
    for (let page = 1; page <= pages; page++) joined += (await get(id, { page }))["text"];
    expect(joined).toContain("+THE END\n");
    expect((await proposals("show", id, "--full")).stdout).toBe(joined);
    expect(await runAsPrinted(message.split("\n")[0] ?? "")).toBe(joined);
    const first = await proposals("show", id);
    expect(first.stdout).not.toContain("+THE END\n");
    expect(first.stderr).toContain(`Page 1 of ${pages}`);
    expect((await proposals("show", id, "--page", String(pages))).stdout).toContain("+THE END\n");
    const applied = await proposals("apply", labelIn(result));
    expect(applied).toMatchObject({ code: 0 });
    expect(readFileSync(at("long.txt"), "utf8")).toEndWith("THE END\n");
  });
});

const applying = (id: string): string[] => ["proposals", "apply", id, "--state-dir", place.stateDir];

describe("an id alone at a terminal", () => {
  test.each([
    ["y\n", "applied"],
    ["yes\n", "applied"],
    ["n\n", "waits on"],
    ["\n", "waits on"],
    ["\u0004", "waits on"],
  ])("apply at a terminal shows the whole change and asks; %j", async (typed, what) => {
    const result = await propose("change_files", SEVERAL);
    const { id } = proposalIn(result);
    const { text } = await get(id);
    const { code, screen } = await runAtTerminal(place, applying(id), "Apply this? [y/N]", typed);
    expect([code, screen.slice(0, text.length)]).toEqual([what === "applied" ? 0 : 1, text]);
    expect(screen).toContain(
      what === "applied" ? "Applied: Edit notes.txt" : `Nothing was applied; ${id} still waits.`,
    );
    expect(existsSync(at("src/important.py"))).toBe(what !== "applied");
  });
});
