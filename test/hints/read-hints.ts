/**
 * What a call that reads says about the next one.
 */
import { expect } from "bun:test";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { script } from "../proc/command-host.ts";
import type { CallHint } from "./call-hint.ts";

/** Latin-1, and so no UTF-8. */
const BYTES = Buffer.from([0x61, 0xe9, 0x0a]);
const base64: CallHint["holds"] = ({ all }) => expect(all).toContain(BYTES.toString("base64"));
const UTF_16 = Buffer.from("\ufeffab\n", "utf16le");
const bytes = (content: Buffer): { readonly base64: string } => ({ base64: content.toString("base64") });

export const READ_HINTS: readonly CallHint[] = [
  {
    says: "Use read_file with encoding: base64 for the raw bytes",
    files: { "a.txt": bytes(BYTES) },
    call: ["read_file", { path: "a.txt", encoding: "utf-8" }],
    holds: base64,
  },
  {
    says: "Use read_file with encoding: base64 for the raw bytes",
    files: { "a.txt": bytes(BYTES) },
    call: ["read_files", { files: [{ path: "a.txt" }] }],
    next: () => [["read_file", { path: "a.txt", encoding: "base64" }]],
    holds: base64,
  },
  {
    says: ", or name its own, such as encoding: windows-1252.",
    from: ["Use read_file with encoding: base64 for the raw bytes"],
    files: { "a.txt": bytes(Buffer.from("caf\xe9\n", "latin1")) },
    call: ["read_file", { path: "a.txt" }],
    next: () => [["read_file", { path: "a.txt", encoding: "windows-1252" }]],
    holds: ({ text }) => expect(text).toBe("caf\u00e9\n"),
  },
  {
    says: ", or encoding: auto.",
    files: { "a.txt": bytes(UTF_16) },
    call: ["read_file", { path: "a.txt", encoding: "utf-8" }],
    next: () => [["read_file", { path: "a.txt", encoding: "auto" }]],
    holds: ({ text }) => expect(text).toBe("ab\n"),
  },
  {
    says: "Use read_file with encoding: base64 for its bytes",
    files: { "a.bin": bytes(Buffer.from([0, 1, 2])) },
    call: ["read_file", { path: "a.bin" }],
    holds: ({ all }) => expect(all).toContain("AAEC"),
  },
  {
    says: "Use read_file with encoding: base64 for its bytes",
    files: { "a.bin": bytes(Buffer.from([0, 1, 2])) },
    call: ["read_files", { files: [{ path: "a.bin" }] }],
    next: () => [["read_file", { path: "a.bin", encoding: "base64" }]],
    holds: ({ all }) => expect(all).toContain("AAEC"),
  },
  {
    says: "Read byte ranges with encoding: base64, offset and limit.",
    prepare: ({ root }) => {
      writeFileSync(join(root, "a.txt"), UTF_16);
      truncateSync(join(root, "a.txt"), 20_000_000);
    },
    call: ["read_file", { path: "a.txt" }],
    next: () => [["read_file", { path: "a.txt", encoding: "base64", offset: 3, limit: 2 }]],
    holds: ({ all }) => expect(all).toContain(Buffer.from("a\0").toString("base64")),
  },
  {
    says: "With encoding: base64, offset and limit count bytes.",
    files: { "a.txt": "one\n" },
    call: ["read_file", { path: "a.txt", encoding: "base64", offset: 9 }],
    next: () => [["read_file", { path: "a.txt", encoding: "base64", offset: 2, limit: 1 }]],
    holds: ({ all }) => expect(all).toContain(Buffer.from("n").toString("base64")),
  },
  {
    says: "Use a smaller offset; a negative one counts from the end.",
    files: { "a.txt": "one\ntwo\n" },
    call: ["read_file", { path: "a.txt", offset: 9 }],
    next: () => [["read_file", { path: "a.txt", offset: -1 }]],
    holds: ({ text }) => expect(text).toBe("two\n"),
  },
  {
    says: "Compare whole files with hash_file, or parts of them with read_file.",
    files: { "b.txt": "b\n" },
    prepare: ({ root }) => {
      writeFileSync(join(root, "a.txt"), "a\n");
      truncateSync(join(root, "a.txt"), 70_000_000);
    },
    call: ["diff_files", { a: "a.txt", b: "b.txt" }],
    next: () => [
      ["hash_file", { paths: ["a.txt", "b.txt"] }],
      ["read_file", { path: "a.txt", encoding: "base64", limit: 2 }],
    ],
    holds: ({ all }) => expect(all).toContain(Buffer.from("a\n").toString("base64")),
  },
  ...(
    [
      ["list_directory", {}],
      ["glob", { pattern: "*" }],
      ["grep", { pattern: "x" }],
    ] as const
  ).map(([tool, args]): CallHint => ({
    says: "Use list_directory on it, or glob or grep.",
    files: { "sub/a.txt": "x\n" },
    call: ["read_file", { path: "sub" }],
    next: () => [[tool, { path: "sub", ...args }]],
    holds: ({ all }) => expect(all).toContain("a.txt"),
  })),
  {
    says: "system_info lists them.",
    call: ["read_file", { path: "/elsewhere" }],
    next: () => [["system_info", {}]],
    holds: ({ all }, { root }) => expect(all).toContain(root),
  },
  {
    says: "process_list names",
    config: { commands: { wait: script("exec sleep 100000") } as never },
    prepare: async (host) => await host.call("process_start", { command: "wait" }),
    call: ["process_output", { id: "run_x" }],
    next: () => [["process_list", {}]],
    holds: ({ all }) => expect(all).toContain("running"),
  },
  {
    says: 'read_file {"path":"',
    config: { commands: { much: script("yes 0123456789 | head -c 3000000") } as never },
    call: ["run_command", { command: "much" }],
    next: ({ text }) => {
      const [, args = ""] = /read_file (\{.*?\}), or grep with that path/.exec(text) ?? [];
      return [
        ["grep", { ...JSON.parse(args), pattern: "3456", limit: 1 }],
        ["read_file", JSON.parse(args)],
      ];
    },
    holds: ({ text }) => expect(text).toStartWith("0123456789\n"),
  },
  {
    says: 'process_output {"id":"',
    config: {
      commands: { much: script("yes 0123456789 | head -c 300000; echo over; sleep 100000") } as never,
    },
    call: ["process_start", { command: "much", ready_when: { text: "over", timeout_ms: 300_000 } }],
    next: ({ text }) => [["process_output", JSON.parse(/process_output (\{.*?\})/.exec(text)?.[1] ?? "")]],
    holds: ({ text }) => expect(text).toContain("0123456789"),
  },
  {
    says: "Find the files with glob first, and give their paths.",
    files: { "a.txt": "one\n" },
    config: { dialect: "gemini" },
    call: ["read_many_files", { include: ["*.txt"] }],
    next: () => [
      ["glob", { pattern: "*.txt" }],
      ["read_many_files", { include: ["a.txt"] }],
    ],
    holds: ({ all }) => expect(all).toContain("one"),
  },
  {
    says: "The rest of line 1 as bytes: read_file {",
    from: ["The rest of line ${cutLine} as bytes: read_file ${JSON.stringify(file.rest)}"],
    files: { "a.txt": `${"x".repeat(40_000)}the end` },
    call: ["read_file", { path: "a.txt" }],
    next({ text }) {
      const [, rest = ""] = /as bytes: read_file (\{.*?\})/.exec(text) ?? [];
      return [["read_file", JSON.parse(rest)]];
    },
    holds: ({ text }) => expect(Buffer.from(text, "base64").toString()).toEndWith("xthe end"),
  },
];
