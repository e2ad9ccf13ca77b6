/**
 * `--dialect=filesystem` against the server that it stands in for: the same calls to both, results compared byte by byte,
 * text and structured. Where ours differ the difference has a name here and in docs/dialects.md.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openOurs, openReference, withoutRoot, type Answer, type Server } from "./reference-servers.ts";

let ours: Server;
let reference: Server;

beforeAll(async () => {
  [ours, reference] = await Promise.all([openOurs(), openReference()]);
}, 60_000);

afterAll(async () => {
  await ours?.[Symbol.asyncDispose]();
  await reference?.[Symbol.asyncDispose]();
});

type Given = Readonly<Record<string, unknown>>;

/** Paths relative to the root, as one and as the other gets them. */
function absolutely(server: Server, given: Given): Given {
  return JSON.parse(JSON.stringify(given).replaceAll("ROOT", server.root)) as Given;
}

async function both(name: string, given: Given = {}): Promise<[Answer, Answer]> {
  const one = async (server: Server): Promise<Answer> => {
    const { _meta: _, ...answer } = (await server.call(name, absolutely(server, given))) as Answer & {
      _meta?: unknown;
    };
    return withoutRoot(server, answer);
  };
  return [await one(ours), await one(reference)];
}

/** Lines in the order of the disk there, by name here. */
function sorted(answer: Answer): Answer {
  const sort = (text: string): string => text.split("\n").sort().join("\n");
  const content = answer.content.map((block) =>
    block.text === undefined ? block : { ...block, text: sort(block.text) },
  );
  return {
    ...answer,
    content,
    structuredContent: { content: sort((answer.structuredContent as { content: string }).content) },
  };
}

const SAME: [what: string, name: string, given: Given][] = [
  ["a text", "read_text_file", { path: "ROOT/notes.txt" }],
  ["a text under the older name", "read_file", { path: "ROOT/notes.txt" }],
  ["a text by a relative path", "read_text_file", { path: "src/main.ts" }],
  ["a text through a link", "read_text_file", { path: "ROOT/link.txt" }],
  ["a text without a final newline", "read_text_file", { path: "ROOT/no-newline.txt" }],
  ["an empty file", "read_text_file", { path: "ROOT/empty.txt" }],
  ["lines that end in CR LF", "read_text_file", { path: "ROOT/crlf.txt" }],
  ["other scripts", "read_text_file", { path: "ROOT/umlaut.md" }],
  ...[1, 2, 5, 10, 11, 50].flatMap((count): [string, string, Given][] =>
    ["notes.txt", "no-newline.txt", "crlf.txt", "empty.txt"].flatMap((file): [string, string, Given][] => [
      [`the first ${count} of ${file}`, "read_text_file", { path: `ROOT/${file}`, head: count }],
      [`the last ${count} of ${file}`, "read_text_file", { path: `ROOT/${file}`, tail: count }],
    ]),
  ),
  ["no lines asked for", "read_text_file", { path: "ROOT/notes.txt", head: 0 }],
  ["a picture", "read_media_file", { path: "ROOT/pixel.png" }],
  ["a sound", "read_media_file", { path: "ROOT/sound.wav" }],
  ["bytes", "read_media_file", { path: "ROOT/data.bin" }],
  ["several files", "read_multiple_files", { paths: ["ROOT/notes.txt", "src/main.ts", "ROOT/empty.txt"] }],
  ["sizes by name", "list_directory_with_sizes", { path: "ROOT/src" }],
  ["sizes by size", "list_directory_with_sizes", { path: "ROOT/src/deep", sortBy: "size" }],
  ["an empty directory", "list_directory", { path: "ROOT/empty" }],
  ["an empty directory with sizes", "list_directory_with_sizes", { path: "ROOT/empty" }],
  ["an empty tree", "directory_tree", { path: "ROOT/empty" }],
  ["nothing found", "search_files", { path: "ROOT", pattern: "**/*.none" }],
  ["the directories", "list_allowed_directories", {}],
];

describe("the same bytes", () => {
  test.each(SAME)("%s", async (_what, name, given) => {
    const [mine, theirs] = await both(name, given);
    expect(mine).toEqual(theirs);
  });

  test.each([
    ["a directory", "list_directory", { path: "ROOT" }],
    ["what a glob finds", "search_files", { path: "ROOT", pattern: "**/*.ts" }],
    ["what a glob finds at the top", "search_files", { path: "ROOT", pattern: "*.txt" }],
    ["directories that a glob finds", "search_files", { path: "ROOT", pattern: "**/d*" }],
    ["everything", "search_files", { path: "ROOT", pattern: "**" }],
    [
      "what is left by an exclusion",
      "search_files",
      { path: "ROOT", pattern: "**/*.ts", excludePatterns: ["**/deep/**"] },
    ],
    [
      "an exclusion at the top",
      "search_files",
      { path: "ROOT", pattern: "**/*", excludePatterns: ["src", "*.txt"] },
    ],
  ] as [string, string, Given][])("%s, in another order", async (_what, name, given) => {
    const [mine, theirs] = await both(name, given);
    expect(sorted(mine)).toEqual(sorted(theirs));
  });

  test.each([
    ["the whole", { path: "ROOT" }],
    ["of a part", { path: "ROOT/src" }],
    ["without a name", { path: "ROOT", excludePatterns: ["node_modules", "er"] }],
    ["without a pattern", { path: "ROOT", excludePatterns: ["*.txt", "src/**/*.ts"] }],
  ] as [string, Given][])("a tree, %s, in another order", async (_what, given) => {
    const [mine, theirs] = await both("directory_tree", given);
    expect(byName(treeOf(mine))).toEqual(byName(treeOf(theirs)));
    expect(mine.content[0]?.text).toBe((mine.structuredContent as { content: string }).content);
  });

  test("facts of a file; when it was made and read is its own", async () => {
    const plain = (answer: Answer): Answer =>
      JSON.parse(JSON.stringify(answer).replaceAll(/(created|accessed): [^\\]*/g, "$1: TIME")) as Answer;
    for (const path of ["ROOT/notes.txt", "ROOT/link.txt"]) {
      const [mine, theirs] = await both("get_file_info", { path });
      if (path.endsWith("notes.txt")) expect(plain(mine)).toEqual(plain(theirs));
      expect(mine.content[0]?.text).toMatch(/^size: \d+\ncreated: \w{3} \w{3} \d\d \d{4} [\d:]{8} GMT/);
    }
  });
});

describe("changes, made at once", () => {
  const EDITS: [what: string, given: Given][] = [
    ["one line", { path: "ROOT/notes.txt", edits: [{ oldText: "five", newText: "FIVE" }] }],
    [
      "two places",
      {
        path: "ROOT/notes.txt",
        edits: [
          { oldText: "one\n", newText: "" },
          { oldText: "ten", newText: "ten\neleven" },
        ],
      },
    ],
    [
      "a file without a final newline",
      { path: "ROOT/no-newline.txt", edits: [{ oldText: "b", newText: "c" }] },
    ],
    ["back quotes", { path: "ROOT/ticks.md", edits: [{ oldText: "let a = 1;", newText: "let a = 2;" }] }],
    ["other scripts", { path: "ROOT/umlaut.md", edits: [{ oldText: "世界", newText: "monde" }] }],
    ["by a relative path", { path: "src/main.ts", edits: [{ oldText: "a = 1", newText: "a = $1" }] }],
  ];

  test.each(EDITS)("a dry run of %s", async (_what, given) => {
    const before = readFileSync(join(ours.root, "notes.txt"), "utf8");
    const [mine, theirs] = await both("edit_file", { ...given, dryRun: true });
    expect(mine).toEqual(theirs);
    expect(readFileSync(join(ours.root, "notes.txt"), "utf8")).toBe(before);
  });

  test.each(EDITS)("an edit of %s", async (_what, given) => {
    const [mine, theirs] = await both("edit_file", given);
    expect(mine).toEqual(theirs);
    const path = String(given["path"]).replace("ROOT/", "");
    expect(readFileSync(join(ours.root, path), "utf8")).toBe(
      readFileSync(join(reference.root, path), "utf8"),
    );
  });

  test.each([
    ["a new file", "write_file", { path: "ROOT/new.txt", content: "new\n" }],
    ["a file that is there", "write_file", { path: "ROOT/notes.txt", content: "other\n" }],
    ["a file by a relative path", "write_file", { path: "relative.txt", content: "" }],
    ["directories", "create_directory", { path: "ROOT/x/y/z" }],
    ["a directory that is there", "create_directory", { path: "ROOT/x" }],
    ["a move", "move_file", { source: "ROOT/new.txt", destination: "ROOT/x/moved.txt" }],
    ["a move of a directory", "move_file", { source: "ROOT/x", destination: "ROOT/w" }],
  ] as [string, string, Given][])("%s", async (_what, name, given) => {
    const [mine, theirs] = await both(name, given);
    expect(mine).toEqual(theirs);
    const listed = await both("search_files", { path: "ROOT", pattern: "**" });
    expect(sorted(listed[0])).toEqual(sorted(listed[1]));
  });
});

describe("the list of tools", () => {
  test("has the same names, titles, parameters and forms of results", async () => {
    const facts = async (server: Server) =>
      (await server.client.listTools()).tools.map(({ name, title, inputSchema, outputSchema }) => ({
        name,
        title,
        required: [...(inputSchema.required ?? [])].sort(),
        parameters: Object.entries(inputSchema.properties ?? {}).map(([key, value]) => [
          key,
          (value as { type: string }).type,
        ]),
        output: Object.entries(outputSchema?.properties ?? {}).map(([key, value]) => [
          key,
          (value as { type: string }).type,
        ]),
      }));
    const plain = (tools: Awaited<ReturnType<typeof facts>>) =>
      tools.map((tool) => ({
        ...tool,
        parameters: tool.parameters
          .map(([key, type]) => `${key}: ${type === "integer" ? "number" : type}`)
          .sort(),
      }));
    expect(plain(await facts(ours))).toEqual(plain(await facts(reference)));
  });
});

describe("differences by our rules", () => {
  const failing: [what: string, name: string, given: Given, code: string][] = [
    ["a path outside", "read_text_file", { path: "/etc/passwd" }, "outside_scope"],
    ["a file that is not there", "read_text_file", { path: "ROOT/none.txt" }, "not_found"],
    [
      "head and tail at once",
      "read_text_file",
      { path: "ROOT/umlaut.md", head: 1, tail: 1 },
      "invalid_input",
    ],
    [
      "an edit without a place",
      "edit_file",
      { path: "ROOT/umlaut.md", edits: [{ oldText: "none", newText: "x" }] },
      "no_match",
    ],
    [
      "a move onto a file",
      "move_file",
      { source: "ROOT/umlaut.md", destination: "ROOT/ticks.md" },
      "already_exists",
    ],
    ["an argument missing", "write_file", { path: "ROOT/x.txt" }, "invalid_input"],
  ];
  test.each(failing)("failures have our words: %s", async (_what, name, given, code) => {
    const [mine, theirs] = await both(name, given);
    expect([mine.isError, theirs.isError]).toEqual([true, true]);
    expect(mine.content[0]?.text).toStartWith(`${code}: `);
  });

  test("an edit of what occurs twice is refused, and not made at the first place", async () => {
    await both("write_file", { path: "ROOT/twice.txt", content: "x\nx\n" });
    const [mine, theirs] = await both("edit_file", {
      path: "ROOT/twice.txt",
      edits: [{ oldText: "x", newText: "y" }],
    });
    expect([mine.isError, theirs.isError]).toEqual([true, undefined]);
    expect(mine.content[0]?.text).toStartWith("ambiguous: ");
  });

  test("missing parents of a new file are made", async () => {
    const [mine, theirs] = await both("write_file", { path: "ROOT/p/q.txt", content: "x" });
    expect([mine.isError, theirs.isError]).toEqual([undefined, true]);
  });

  test("lines that end in CR LF stay so in an edit", async () => {
    const given = { path: "ROOT/crlf.txt", edits: [{ oldText: "second", newText: "2nd" }] };
    const [mine, theirs] = await both("edit_file", given);
    expect(mine).toEqual(theirs);
    expect(readFileSync(join(ours.root, "crlf.txt"), "utf8")).toBe("first\r\n2nd\r\nthird\r\n");
    expect(readFileSync(join(reference.root, "crlf.txt"), "utf8")).toBe("first\n2nd\nthird\n");
  });

  test("an argument that there is not is named", async () => {
    const [mine, theirs] = await both("read_text_file", { path: "ROOT/umlaut.md", haed: 1 });
    expect([mine.isError, theirs.isError]).toEqual([true, undefined]);
    expect(mine.content[0]?.text).toContain("Did you mean head?");
  });

  test("bytes that are no text are described", async () => {
    const [mine] = await both("read_text_file", { path: "ROOT/data.bin" });
    expect(mine.content[0]?.text).toContain("is binary");
  });
});

interface Node {
  readonly name: string;
  readonly type: string;
  readonly children?: readonly Node[];
}

function treeOf(answer: Answer): Node[] {
  return JSON.parse(answer.content[0]?.text ?? "") as Node[];
}

function byName(nodes: readonly Node[]): unknown {
  return [...nodes]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ children, ...node }) => ({ ...node, ...(children ? { children: byName(children) } : {}) }));
}

describe("in the mode accept_edits", () => {
  test("ordinary changes are the same, and the others are proposed in words that say so", async () => {
    const careful = await openOurs(["--mode=accept_edits", "--baseline=if_known"]);
    await using _ = careful;
    const one = async (server: Server, name: string, given: Given): Promise<Answer> => {
      const { content, structuredContent } = await server.call(name, absolutely(server, given));
      return withoutRoot(server, { content, structuredContent });
    };
    const calls: [string, Given][] = [
      ["write_file", { path: "ROOT/fresh.txt", content: "x\n" }],
      ["edit_file", { path: "ROOT/src/style.css", edits: [{ oldText: "{}", newText: "{ }" }] }],
      ["create_directory", { path: "ROOT/fresh/er" }],
      ["move_file", { source: "ROOT/fresh.txt", destination: "ROOT/fresh/er/moved.txt" }],
    ];
    for (const [name, given] of calls)
      expect(await one(careful, name, given)).toEqual(await one(reference, name, given));
    const replaced = await one(careful, "write_file", { path: "ROOT/big.dat", content: "x" });
    expect(replaced.content[0]?.text).toMatch(/^Proposed: Overwrite big\.dat [^]*Nothing is written yet\. /);
    expect(replaced.structuredContent).toEqual({ content: replaced.content[0]?.text });
  });
});
