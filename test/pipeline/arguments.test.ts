/**
 * How arguments are read: other names, obvious slips of type, what is never guessed. Each case is a call whose meaning is
 * plain to a person, and must be to the host, or a slip that must be named and not acted on.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openTestHost, type TestHost } from "../host/in-memory-host.ts";

let host: TestHost;

/** Without what differs from call to call. */
const plain = (text: string): string =>
  text.replaceAll(/p_[\w-]{22}@[0-9a-f]{40}|p_[\w-]{22}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "");

beforeAll(() => {
  const files = { "a.txt": "1\n2\n3\n4\n5\n6\n", "b.txt": "b\n", "sub/c.txt": "c\n" };
  host = openTestHost({ files });
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
});

describe("other names of tools", () => {
  const aliases: Record<string, readonly string[]> = {
    list_directory: ["list", "listdir", "ls", "file.list"],
    read_file: ["read", "Read", "file.read", "read_text_file"],
    stat: ["file_stat"],
    glob: ["Glob"],
    grep: ["Grep"],
    write_file: ["write", "Write", "file.write"],
    edit_file: ["edit", "Edit", "file.edit"],
    create_directory: ["mkdir"],
    move: ["rename"],
    delete: ["remove"],
  };
  const args: Record<string, object> = {
    glob: { pattern: "*" },
    grep: { pattern: "b" },
    write_file: { path: "n", content: "x" },
    edit_file: { path: "b.txt", old_text: "b", new_text: "c" },
    move: { source: "b.txt", destination: "n" },
    create_directory: { path: "n" },
  };
  const pairs = Object.entries(aliases).flatMap(([name, list]) => list.map((alias) => [alias, name] as const));
  test.each(pairs)("%s is %s", async (alias, name) => {
    const given = args[name] ?? { path: name === "list_directory" ? "sub" : "b.txt" };
    const [byAlias, byName] = [await host.call(alias, given), await host.call(name, given)];
    expect(byAlias.failure).toBeUndefined();
    expect(plain(byAlias.all)).toBe(plain(byName.all));
  });

  test("an unknown tool is -32602 and names the nearest", async () => {
    const { error } = await host.request("tools/call", { name: "read_fil", arguments: {} });
    expect(error).toMatchObject({ code: -32602, data: { tool: "read_fil" } });
    expect(error.data.candidates).toContain("read_file");
    expect(error.message).toMatch(/: did you mean read_file(?:, \w+)*\?$/);
    for (const name of ["", "constructor", "__proto__", "READ_FILE", "x".repeat(1000)])
      expect((await host.request("tools/call", { name })).error.code).toBe(-32602);
  });
});

describe("other names of parameters", () => {
  const reads = ["path", "file_path", "filePath", "filepath", "file", "filename", "absolute_path", "file-path"];
  test.each(reads)("read_file takes another name of its parameter: %s", async (name) => {
    expect((await host.call("read_file", { [name]: "b.txt" })).text).toBe("b\n");
  });

  const edits: [string, string][] = [
    ["old_string", "new_string"],
    ["oldText", "newText"],
    ["old", "new"],
    ["search", "replace"],
    ["old_str", "new_str"],
  ];
  test.each(edits)("edit_file %s and %s, also in a list", async (from, to) => {
    const one = await host.call("Edit", { file_path: "b.txt", [from]: "b", [to]: "z" });
    const list = await host.call("edit_file", { path: "b.txt", edits: [{ [from]: "b", [to]: "z" }] });
    for (const answer of [one, list]) expect(answer.all).toContain("-b\n+z\n");
  });

  const others: [string, object, string][] = [
    ["move", { from: "b.txt", to: "n.txt" }, "Move b.txt -> n.txt"],
    ["copy", { src: "b.txt", dst: "n.txt" }, "Copy b.txt -> n.txt"],
    ["move", { old_path: "b.txt", new_path: "n.txt" }, "Move b.txt -> n.txt"],
    ["write_file", { file_path: "n.txt", contents: "x" }, "Create n.txt"],
    ["append_file", { path: "b.txt", text: "x" }, "Append to b.txt"],
    ["grep", { query: "b", dir: "." }, "b.txt"],
    ["list_directory", { directory: "sub" }, "c.txt"],
    ["read_files", { paths: ["b.txt", "sub/c.txt"] }, "==> sub/c.txt <=="],
  ];
  test.each(others)("another name of a parameter is taken: %s %j", async (tool, args, wanted) => {
    expect((await host.call(tool, args)).all).toContain(wanted);
  });

  test("the same thing given twice is refused", async () => {
    const { failure } = await host.call("read_file", { path: "a.txt", file_path: "b.txt" });
    expect(failure).toMatchObject({ code: "invalid_input", message: expect.stringContaining("given twice") });
  });
});

describe("slips of type", () => {
  const mended: [string, object, string][] = [
    ["read_file", { path: "a.txt", offset: "2", limit: "1" }, "2\n"],
    ["read_file", { path: "a.txt", offset: " -1 " }, "6\n"],
    ["read_file", { path: "a.txt", line_numbers: "true", limit: 1 }, "1\t1\n"],
    ["read_files", { files: { path: "b.txt" } }, "b\n"],
    ["read_files", { files: ["b.txt"] }, "b\n"],
    ["read_files", { files: "b.txt" }, "b\n"],
    ["read_files", { files: '[{"path":"b.txt"}]' }, "b\n"],
    ["edit_file", { path: "b.txt", edits: { old_text: "b", new_text: "c" } }, "+c"],
    ["edit_file", { path: "b.txt", edits: '[{"old_text":"b","new_text":"c"}]' }, "+c"],
    ["edit_file", { path: "b.txt", old_text: "b", new_text: "c", replace_all: "false" }, "+c"],
  ];
  test.each(mended)("%s %j is mended", async (tool, args, wanted) => {
    const answer = await host.call(tool, args);
    expect(answer.failure).toBeUndefined();
    expect(answer.all).toContain(wanted);
  });

  const refused: [string, unknown, string][] = [
    ["read_file", {}, "path is missing"],
    ["read_file", undefined, "path is missing"],
    ["read_file", { path: null }, "path cannot be null"],
    ["read_file", { path: 5 }, "path cannot be 5"],
    ["read_file", { path: ["b.txt"] }, "path cannot be a list"],
    ["read_file", { path: { path: "b.txt" } }, "path cannot be an object"],
    ["read_file", { path: true }, "path cannot be true"],
    ["read_file", { path: "a.txt", limit: "many" }, 'limit cannot be "many"'],
    ["read_file", { path: "a.txt", limit: 0 }, "limit cannot be 0"],
    ["read_file", { path: "a.txt", limit: 1.5 }, "limit cannot be 1.5"],
    ["read_file", { path: "a.txt", line_numbers: "yes" }, 'line_numbers cannot be "yes"'],
    ["read_file", "a.txt", "must be an object"],
    ["read_file", ["a.txt"], "must be an object"],
    ["read_file", { path: "a.txt", lines: 3 }, 'there is no argument "lines"'],
    ["grep", { pattern: "b", output: "contents" }, 'output cannot be "contents"'],
    ["grep", { pattern: 5 }, "pattern cannot be 5"],
    ["edit_file", { path: "b.txt", edits: [{ old_text: "b", newtxt: "c" }] }, 'no argument "edits[0].newtxt"'],
    [
      "edit_file",
      {
        path: "b.txt",
        edits: [
          { old_text: "b", new_text: "c" },
          { old_text: "b", newtxt: "c" },
        ],
      },
      'no argument "edits[1].newtxt" (number 2 of edits)',
    ],
    [
      "edit_file",
      { path: "b.txt", edits: [{ old_text: "b", new_text: 5 }] },
      "edits[0].new_text (number 1 of edits) cannot be 5",
    ],
    ["change_files", { operations: [] }, "operations cannot be an empty list"],
    ["change_files", { operations: [{ path: "a" }] }, "operations[0].op (number 1 of operations) is missing"],
    ["write_file", { path: "n", content: { a: 1 } }, "content cannot be an object"],
    ["write_file", { path: "n", content: 5 }, "content cannot be 5"],
  ];
  test.each(refused)("%s %j is refused", async (tool, args, wanted) => {
    const { failure, result } = await host.call(tool, args);
    expect(result.isError).toBe(true);
    expect(failure?.code).toBe("invalid_input");
    expect(failure?.message).toContain(wanted);
  });

  test("an unknown argument is named with its nearest neighbour", async () => {
    const { failure } = await host.call("read_file", { path: "a.txt", line_number: true });
    expect(failure?.hint).toContain("Did you mean line_numbers?");
  });

  test("__proto__ and constructor are names like any other, and no argument", async () => {
    const texts = [
      '{"__proto__":{"path":"b.txt"}}',
      '{"path":"b.txt","constructor":1}',
      '{"path":"b.txt","__proto__":{}}',
    ];
    for (const [id, text] of texts.entries()) {
      const params = `{"name":"read_file","arguments":${text}}`;
      host.send(`{"jsonrpc":"2.0","id":"p${id}","method":"tools/call","params":${params}}`);
      const { result } = await host.answerTo(`p${id}`);
      expect(result._meta["dev.ringfence/failure"].code).toBe("invalid_input");
    }
    expect(({} as { path?: string }).path).toBeUndefined();
  });

  test("the last one of two keys of one name wins", async () => {
    const args = '{"path":"a.txt","path":"b.txt"}';
    host.send(`{"jsonrpc":"2.0","id":"dup","method":"tools/call","params":{"name":"read_file","arguments":${args}}}`);
    expect((await host.answerTo("dup")).result.content.at(-1).text).toBe("b\n");
  });
});

describe("all that is wrong is named at once", () => {
  test.each([
    ["read_file", { path: 5, limit: "x", foo: 1 }, ["path cannot be 5", 'limit cannot be "x"', '"foo"']],
    ["read_file", { ofset: 1, limt: 2 }, ['"ofset"', '"limt"', "path is missing"]],
    [
      "edit_file",
      { path: "a.txt", edits: [{ old_text: 1 }, { old_text: "b", newtxt: "c" }], replace: 1 },
      ["edits[0].old_text (number 1 of edits) cannot be 1", "edits[0].new_text", '"edits[1].newtxt"'],
    ],
    ["read_file", { path: "a.txt", file_path: "b.txt", limit: 0 }, ["given twice", "limit cannot be 0"]],
    ["edit_file", { path: 5, old_text: "x" }, ["path cannot be 5", "the arguments do not fit together"]],
    ["diff_files", { a: 5, context: -1 }, ["a cannot be 5", "context cannot be -1", "do not fit together"]],
    ["hash_file", { algorithm: "crc" }, ['algorithm cannot be "crc"', "the arguments do not fit together"]],
    [
      "change_files",
      {
        operations: [
          { op: "write_file", path: "n.txt" },
          { op: "delete", path: "a.txt", content: "x" },
          { op: "apply_patch", patch: "no patch" },
        ],
      },
      [
        "operation 1 (write_file): ",
        "content is missing",
        'operation 2 (delete): there is no argument "content"',
        "operation 3 (apply_patch): ",
      ],
    ],
  ])("all that is wrong is named at once: %s %j", async (tool, args, wanted) => {
    const { failure } = await host.call(tool, args);
    for (const one of wanted) expect(failure?.message).toContain(one);
  });

  test("a wrong name is named with what was probably meant, and without the argument that is there under it", async () => {
    const { failure } = await host.call("read_file", { ofset: 1, limt: 2, pth: "a.txt" });
    expect(failure?.hint).toStartWith("Did you mean offset for ofset, limit for limt, path for pth? It takes path, ");
    expect(failure?.message).not.toContain("missing");
  });

  test("the first few of a thousand wrong arguments are named, and how many there are", async () => {
    const edits = Array.from({ length: 1000 }, () => ({ old_text: 1, new_text: "x" }));
    const { failure } = await host.call("edit_file", { path: "a.txt", edits });
    expect(failure?.message).toContain("edits[7].old_text (number 8 of edits) cannot be 1; and 992 more");
    expect(failure?.message).not.toContain("edits[8]");
  });

  test("wrong arguments of a dialect are named together, its own parameters and ours", async () => {
    await using claude = openTestHost({ config: { dialect: "claude" } });
    const { failure } = await claude.call("Read", { file_path: 1, limit: "x", line_numbers: "maybe", x: 1 });
    for (const name of ["file_path", "limit", "line_numbers", '"x"']) expect(failure?.message).toContain(name);
  });
});

test("more than 64 MiB to write is refused before it goes to a worker", async () => {
  const { parseArguments } = await import("../../src/contract/index.ts");
  const { writeFile } = await import("../../src/packs/files/change/write-file.ts");
  const content = "x".repeat(64 * 1024 * 1024 + 1);
  expect(() => parseArguments(writeFile, { path: "a", content })).toThrow("a string of 67108865 characters");
  expect(() => parseArguments(writeFile, { path: "a", content: content.slice(1) })).not.toThrow();
});
