/**
 * Changes that would take a secret of an ordinary file apart: what is left of it looks like any text, so the diff or the next read
 * would show it.
 */
import { expect, test } from "bun:test";
import { openTestHost } from "./in-memory-host.ts";

const TOKEN = ["ghp", "_abcdefghijklmnopqrstuvwxyz0123456789"].join("");
const body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n".repeat(3);
const [begin = "", end] = ["BEGIN", "END"].map((word) => `-----${word} PRIVATE KEY-----\n`);
const apart = {
  "t.ts": `const a = 1;\nconst mine = "${TOKEN}";\nconst b = 2;\n`,
  "d.json": '{"password":"k3Jx9\\/QpLm2Zr8TvW4"}\n',
  "k.txt": `${begin}${body}${end}`,
};
const rest = /abcdefgh|QpLm2Zr8|MIIEvQIB/;

test.each([
  ["edit_file", { path: "t.ts", old_text: "ghp_", new_text: "" }],
  ["edit_file", { path: "t.ts", old_text: 'mine = "gh', new_text: 'mine = "' }],
  ["edit_file", { path: "d.json", old_text: "password", new_text: "pass" }],
  ["edit_file", { path: "k.txt", old_text: begin, new_text: "" }],
  [
    "edit_file",
    {
      path: "t.ts",
      edits: [
        { old_text: "ghp_", new_text: "x" },
        { old_text: "a = 1", new_text: "a = 2" },
      ],
    },
  ],
  ["replace", { pattern: "gh(p)_", replacement: "$1" }],
  ["replace", { pattern: "ghp_", replacement: "", dry_run: true }],
  ["replace", { pattern: "ghp_(\\w{12})", replacement: "$1 ", dry_run: false }],
  ["change_files", { operations: [{ op: "edit_file", path: "t.ts", old_text: "ghp_", new_text: "" }] }],
  [
    "change_files",
    {
      operations: [
        { op: "move", source: "t.ts", destination: "e.ts" },
        { op: "edit_file", path: "e.ts", old_text: "ghp_", new_text: "" },
      ],
    },
  ],
] as const)("a change that takes a secret apart is refused, and shows no part of it: %s %j", async (tool, args) => {
  for (const mode of ["default", "accept_edits", "bypass"] as const) {
    await using host = openTestHost({ files: apart, config: { mode } });
    const { failure, result } = await host.call(tool, args);
    expect([mode, failure?.code]).toEqual([mode, "denied"]);
    expect(JSON.stringify([failure, result])).not.toMatch(rest);
    for (const [path, text] of Object.entries(apart)) expect(host.read(path)).toBe(text);
  }
});

test("a change takes out a whole secret, puts another in its place, or leaves it where it is", async () => {
  await using host = openTestHost({ files: apart, config: { mode: "accept_edits" } });
  for (const [tool, args] of [
    ["edit_file", { path: "t.ts", old_text: "const mine", new_text: "export const mine" }],
    ["replace", { pattern: '"ghp_\\w+"', replacement: "process.env.TOKEN", dry_run: false }],
    ["write_file", { path: "d.json", content: '{"password":"r8TvW4k3Jx9QpLm2Z"}\n' }],
    [
      "replace",
      {
        pattern: "-----BEGIN[\\s\\S]*-----END PRIVATE KEY-----",
        replacement: "",
        path: "k.txt",
        multiline: true,
        dry_run: false,
      },
    ],
  ] as const)
    expect([tool, (await host.call(tool, args)).failure]).toEqual([tool, undefined]);
  expect(host.read("t.ts")).toContain("export const mine = process.env.TOKEN;");
  expect(host.read("k.txt")).not.toContain("MII");
});
