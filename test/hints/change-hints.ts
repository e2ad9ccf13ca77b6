/**
 * What a call that changes files says about the next one. An edit wants its file to have been read where that is required.
 */
import { expect } from "bun:test";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Members } from "../host/in-memory-host.ts";
import type { CallHint, Told, ToolCall } from "./call-hint.ts";

const holdsText =
  (path: string, content: string): CallHint["holds"] =>
  (_, host) =>
    expect(host.read(path)).toBe(content);

const FILES = { "a.txt": "one\n", "b.txt": "two\n" };
const addA = "*** Begin Patch\n*** Add File: a.txt\n+1\n*** End Patch";
const updateA = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+1\n*** End Patch";
const SECRET = ["ghp", "_abcdefghijklmnopqrstuvwxyz0123456789"].join("");

interface Unread {
  readonly says: string;
  readonly call: ToolCall;
  /** Adds the hash of a.txt to the call, as the hint asks. */
  readonly hashed?: (args: Members, hash: string) => Members;
}

const holdsChanged: CallHint["holds"] = (answer, host) => {
  expect(answer.all).toContain("Applied: ");
  expect(host.read("a.txt")).not.toBe("one\n");
};

/** A file that was not read: to read it is enough, and so is its hash where the hint names a parameter for it. */
function unread({ says, call, hashed }: Unread): CallHint[] {
  // The sentence is put together of these.
  const from = [
    'Read ${isWhole ? "all of it" : "it"} with read_file first',
    ...["as if_hash", "in if_hashes"].filter((parameter) => says.endsWith(`${parameter}.`)),
  ];
  const [tool, args] = call;
  const common = { says, from, call, files: FILES, config: { baseline: "required" } };
  const read = (): ToolCall[] => [["read_file", { path: "a.txt" }], call];
  const giveHash = async ({ hashOf }: Told): Promise<ToolCall[]> => [
    [tool, hashed?.(args, await hashOf("a.txt")) ?? args],
  ];
  return [
    { ...common, next: read, holds: holdsChanged },
    ...(hashed ? [{ ...common, next: giveHash, holds: holdsChanged }] : []),
  ];
}

const UNREAD: readonly CallHint[] = [
  ...unread({
    says: "Read it with read_file first, or give its hash as if_hash.",
    call: ["edit_file", { path: "a.txt", old_text: "one", new_text: "1" }],
    hashed: (args, if_hash) => ({ ...args, if_hash }),
  }),
  ...unread({
    says: "Read all of it with read_file first, or give its hash as if_hash.",
    call: ["write_file", { path: "a.txt", content: "1\n" }],
    hashed: (args, if_hash) => ({ ...args, if_hash }),
  }),
  ...unread({
    says: "give its hash as if_hash.",
    call: ["change_files", { operations: [{ op: "write_file", path: "a.txt", content: "1\n" }] }],
    hashed: ({ operations }, if_hash) => ({ operations: (operations as object[]).map((one) => ({ ...one, if_hash })) }),
  }),
  ...unread({
    says: "Read it with read_file first, or give its hash in if_hashes.",
    call: ["apply_patch", { patch: updateA }],
    hashed: (args, hash) => ({ ...args, if_hashes: [{ path: "a.txt", hash }] }),
  }),
  ...unread({
    says: "Read all of it with read_file first, or give its hash in if_hashes.",
    call: ["apply_patch", { patch: addA, overwrite: true }],
    hashed: (args, hash) => ({ ...args, if_hashes: [{ path: "a.txt", hash }] }),
  }),
  ...(["move", "copy"] as const).flatMap((tool) =>
    unread({
      says: 'Cannot replace "a.txt": it exists and was not read. Read all of it with read_file first.',
      call: [tool, { source: "b.txt", destination: "a.txt", overwrite: true }],
    }),
  ),
  ...unread({
    says: 'Cannot replace "a.txt": it exists and was not read. Read all of it with read_file first.',
    call: [
      "change_files",
      {
        operations: [
          { op: "delete", path: "a.txt" },
          { op: "write_file", path: "a.txt", content: "1\n" },
        ],
      },
    ],
  }),
];

export const CHANGE_HINTS: readonly CallHint[] = [
  ...UNREAD,
  {
    says: "Choose another name, or pass overwrite: true.",
    files: FILES,
    call: ["write_file", { path: "a.txt", content: "1\n", overwrite: false }],
    holds: holdsText("a.txt", "1\n"),
  },
  ...(["move", "copy"] as const).map((tool): CallHint => ({
    says: "Choose another name, or pass overwrite: true.",
    files: FILES,
    call: [tool, { source: "b.txt", destination: "a.txt" }],
    holds: holdsText("a.txt", "two\n"),
  })),
  {
    says: "or pass overwrite: true to replace it.",
    files: FILES,
    call: ["apply_patch", { patch: addA }],
    holds: holdsText("a.txt", "1\n"),
  },
  {
    says: "Use *** Update File to change it",
    files: FILES,
    call: ["apply_patch", { patch: addA }],
    next: () => [["apply_patch", { patch: updateA }]],
    holds: holdsText("a.txt", "1\n"),
  },
  {
    says: "use delete with recursive: true for a directory",
    files: { "sub/a.txt": "one\n" },
    call: ["apply_patch", { patch: "*** Begin Patch\n*** Delete File: sub\n*** End Patch" }],
    next: () => [["delete", { path: "sub", recursive: true }]],
    holds: (_, { root }) => expect(lstatSync(join(root, "sub"), { throwIfNoEntry: false })).toBeUndefined(),
  },
  {
    says: "Pass recursive: true to delete it",
    files: { "sub/a.txt": "one\n" },
    call: ["delete", { path: "sub" }],
    holds: (_, { root }) => expect(lstatSync(join(root, "sub"), { throwIfNoEntry: false })).toBeUndefined(),
  },
  {
    says: "Pass recursive: true to copy it",
    files: { "sub/a.txt": "one\n" },
    call: ["copy", { source: "sub", destination: "to" }],
    holds: holdsText("to/a.txt", "one\n"),
  },
  {
    says: "Give old_text and new_text, or edits.",
    files: FILES,
    call: ["edit_file", { path: "a.txt" }],
    next: () => [
      ["edit_file", { path: "a.txt", old_text: "one", new_text: "1" }],
      ["edit_file", { path: "a.txt", edits: [{ old_text: "1", new_text: "2" }] }],
    ],
    holds: holdsText("a.txt", "2\n"),
  },
  {
    says: "write_file with encoding: base64 can replace the whole file",
    files: { "a.txt": { base64: "AAEC" } },
    call: ["edit_file", { path: "a.txt", old_text: "one", new_text: "1" }],
    next: () => [["write_file", { path: "a.txt", content: "MQo=", encoding: "base64" }]],
    holds: holdsText("a.txt", "1\n"),
  },
  {
    says: "or write the file with encoding: utf-8",
    files: { "a.txt": { base64: Buffer.from([0xe9, 0x0a]).toString("base64") } },
    config: { legacyEncoding: "windows-1252" },
    call: ["write_file", { path: "a.txt", content: "\u03a9\n" }],
    holds: holdsText("a.txt", "\u03a9\n"),
  },
  {
    says: "or use edit_file for a part of it",
    files: { "a.ts": "one();\ntwo();\nthree();\n" },
    call: ["write_file", { path: "a.ts", content: "1();\n// ... rest of the code ...\n" }],
    next: () => [["edit_file", { path: "a.ts", old_text: "one", new_text: "1" }]],
    holds: holdsText("a.ts", "1();\ntwo();\nthree();\n"),
  },
  {
    says: "Change the text around it with edit_file and leave the secret where it is.",
    files: { "a.txt": `one ${SECRET}\n` },
    prepare: async (host) => await host.call("read_file", { path: "a.txt" }),
    call: ["write_file", { path: "a.txt", content: "1 [secret:1a2b3c]\n" }],
    next: () => [["edit_file", { path: "a.txt", old_text: "one ", new_text: "1 " }]],
    holds: holdsText("a.txt", `1 ${SECRET}\n`),
  },
  {
    says: "(edit_file with in_place: true keeps them together)",
    files: { "a.txt": "one\n", "b.txt": { hardlink: "a.txt" } },
    config: { mode: "default" },
    call: ["write_file", { path: "a.txt", content: "1\n" }],
    next: () => [["edit_file", { path: "a.txt", old_text: "one", new_text: "1", in_place: true }]],
    holds: async (answer, host) => {
      await host.apply(answer);
      expect([host.read("a.txt"), host.read("b.txt")]).toEqual(["1\n", "1\n"]);
    },
  },
  {
    says: "To make the change, call again with dry_run: false.",
    files: FILES,
    call: ["replace", { pattern: "one", replacement: "1" }],
    holds: holdsText("a.txt", "1\n"),
  },
  {
    says: "Look for the text with grep.",
    files: FILES,
    call: ["replace", { pattern: "three", replacement: "3", expect: 1 }],
    next: () => [["grep", { pattern: "one|two" }]],
    holds: ({ text }) => expect(text).toContain("b.txt:1:two"),
  },
];
