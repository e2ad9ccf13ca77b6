/**
 * Parts of a proposal: whole files and single hunks of the diff that was shown. What is not chosen stays as it is on the
 * disk, byte for byte, and the answer names it.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readTree } from "../host/file-tree.ts";
import { openTestHost, type CallAnswer, type Json, type TestHost } from "../host/in-memory-host.ts";

let host: TestHost;

beforeEach(() => {
  host = openTestHost({ files: { "d/x.txt": "x\n" } });
});

afterEach(async () => {
  await host[Symbol.asyncDispose]();
});

const failureOf = (message: Json): Json => {
  expect(message.error?.code).toBe(1);
  return message.error.data;
};

const lines = (change: (line: number) => string): string =>
  Array.from({ length: 30 }, (_, index) => `${change(index + 1)}\n`).join("");
const OLD = lines((line) => `line ${line}`);

const editThree = async (): Promise<CallAnswer> =>
  await host.call("edit_file", {
    path: "long.txt",
    edits: [2, 15, 28].map((line) => ({ old_text: `line ${line}\n`, new_text: `new ${line}\nmore\n` })),
  });

const several = async (): Promise<CallAnswer> =>
  await host.call("change_files", {
    operations: [
      { op: "move", source: "d", destination: "e" },
      { op: "append_file", path: "e/x.txt", content: "more\n" },
      { op: "write_file", path: "other.txt", content: "other\n" },
    ],
  });

describe("single hunks", () => {
  beforeEach(() => writeFileSync(join(host.root, "long.txt"), OLD));

  test("single hunks are applied, and the answer names those that are left out", async () => {
    const { result } = await host.apply(await editThree(), { hunks: { "long.txt": [1, 3] } });
    expect(result).toMatchObject({
      status: "applied",
      files: [{ path: "long.txt", added: 4, removed: 2 }],
      left_out: [{ path: "long.txt", operation: "edit", hunks: [2] }],
    });
    const expected = lines((line) => (line === 2 || line === 28 ? `new ${line}\nmore` : `line ${line}`));
    expect(host.read("long.txt")).toBe(expected);
  });

  test("all of them are the whole file", async () => {
    const { result } = await host.apply(await editThree(), { hunks: { "long.txt": [1, 2, 3] } });
    expect(result.left_out).toEqual([]);
    expect(host.read("long.txt")).toContain("new 15\nmore\n");
  });

  test("single hunks of a file with CRLF, a mark and no last newline keep the rest of its bytes", async () => {
    const old = `\ufeff${OLD.replaceAll("\n", "\r\n").trimEnd()}`;
    writeFileSync(join(host.root, "long.txt"), old);
    const answer = await host.call("edit_file", {
      path: "long.txt",
      edits: [
        { old_text: "line 2\n", new_text: "2\n" },
        { old_text: "line 30", new_text: "last" },
      ],
    });
    expect((await host.apply(answer, { hunks: { "long.txt": [2] } })).result.status).toBe("applied");
    expect(host.read("long.txt")).toBe(old.replace("line 30", "last"));
  });

  test("hunks that do not exist, or of what is no put of text, are refused by name", async () => {
    const answer = await editThree();
    const refused = async (hunks: object): Promise<string> => failureOf(await host.apply(answer, { hunks })).message;
    expect(await refused({ "long.txt": [4] })).toContain("there is no hunk 4, its diff has 3");
    expect(await refused({ "other.txt": [1] })).toContain("not one of its files");
    expect(await refused({ "long.txt": [] })).toContain(
      'hunks must be an object in which every member is a list that is not empty, as {"a.ts":[1,"3.2"]}',
    );
    expect(await refused({})).toContain(
      'hunks must be an object in which every member is a list that is not empty, as {"a.ts":[1,"3.2"]}',
    );
    const move = await host.call("move", { source: "long.txt", destination: "moved.txt" });
    const failure = failureOf(await host.apply(move, { hunks: { "moved.txt": [1] } }));
    expect(failure).toMatchObject({ code: "invalid_input", hint: expect.stringContaining("whole file") });
    expect(host.read("long.txt")).toBe(OLD);
  });

  test("single hunks are stale when the file is not what it was", async () => {
    const answer = await editThree();
    writeFileSync(join(host.root, "long.txt"), `${OLD}more\n`);
    expect(failureOf(await host.apply(answer, { hunks: { "long.txt": [1] } })).code).toBe("stale");
    expect(host.read("long.txt")).toBe(`${OLD}more\n`);
  });
});

describe("whole files of several changes", () => {
  test("an apply of whole files leaves the other changes out, by name", async () => {
    const { result } = await host.apply(await several(), { files: ["other.txt"] });
    expect(result.left_out.map(({ path }: Json) => path)).toEqual(["e", "e/x.txt"]);
    expect(readTree(host.root)).toEqual({ "d/x.txt": "x\n", "other.txt": "other\n" });
  });

  test("whole files are refused without the change that one of them builds on", async () => {
    const answer = await several();
    const failure = failureOf(await host.apply(answer, { files: ["e/x.txt", "other.txt"] }));
    expect(failure).toMatchObject({ code: "invalid_input", candidates: ["e"] });
    expect(failure.message).toContain('builds on the change of "e"');
    expect((await host.apply(answer, { files: ["e", "e/x.txt"] })).result.status).toBe("applied");
    expect(readTree(host.root)).toEqual({ "e/x.txt": "x\nmore\n" });
  });
});
