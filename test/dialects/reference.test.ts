/**
 * `--dialect=filesystem` against the server that it stands in for: the same calls to both, results compared byte by byte,
 * text and structured. Where ours differ the difference has a name here and in docs/dialects.md.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openPair, type Answer, type Given, type Pair, type Server } from "./reference-servers.ts";

let pair: Pair;

beforeAll(async () => {
  pair = await openPair();
});

afterAll(async () => {
  await pair[Symbol.asyncDispose]();
});

/** Lines in the order of the disk there, by name here. */
function sorted(answer: Answer): Answer {
  const content = answer.content.map((block) =>
    block.text === undefined ? block : { ...block, text: sortLines(block.text) },
  );
  return {
    ...answer,
    content,
    structuredContent: { content: sortLines((answer.structuredContent as { content: string }).content) },
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
  test.each(SAME)("the reference server and the dialect give the same bytes: %s", async (_what, name, given) => {
    const [mine, theirs] = await pair.both(name, given);
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
    ["an exclusion at the top", "search_files", { path: "ROOT", pattern: "**/*", excludePatterns: ["src", "*.txt"] }],
  ] as [string, string, Given][])(
    "the reference server and the dialect give the same bytes in another order: %s",
    async (_what, name, given) => {
      const [mine, theirs] = await pair.both(name, given);
      expect(sorted(mine)).toEqual(sorted(theirs));
    },
  );

  test.each([
    ["the whole", { path: "ROOT" }],
    ["of a part", { path: "ROOT/src" }],
    ["without a name", { path: "ROOT", excludePatterns: ["node_modules", "er"] }],
    ["without a pattern", { path: "ROOT", excludePatterns: ["*.txt", "src/**/*.ts"] }],
  ] as [string, Given][])("a tree has the same bytes in another order: %s", async (_what, given) => {
    const [mine, theirs] = await pair.both("directory_tree", given);
    expect(byName(treeOf(mine))).toEqual(byName(treeOf(theirs)));
    expect(mine.content[0]?.text).toBe((mine.structuredContent as { content: string }).content);
  });

  test("get_file_info gives the same facts, but for the times of creation and access", async () => {
    for (const path of ["ROOT/notes.txt", "ROOT/link.txt"]) {
      const [mine, theirs] = await pair.both("get_file_info", { path });
      if (path.endsWith("notes.txt")) expect(timeless(mine)).toEqual(timeless(theirs));
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
    ["a file without a final newline", { path: "ROOT/no-newline.txt", edits: [{ oldText: "b", newText: "c" }] }],
    ["back quotes", { path: "ROOT/ticks.md", edits: [{ oldText: "let a = 1;", newText: "let a = 2;" }] }],
    ["other scripts", { path: "ROOT/umlaut.md", edits: [{ oldText: "世界", newText: "monde" }] }],
    ["by a relative path", { path: "src/main.ts", edits: [{ oldText: "a = 1", newText: "a = $1" }] }],
  ];

  test.each(EDITS)("a dry run of %s", async (_what, given) => {
    const before = readFileSync(join(pair.ours.root, "notes.txt"), "utf8");
    const [mine, theirs] = await pair.both("edit_file", { ...given, dryRun: true });
    expect(mine).toEqual(theirs);
    expect(readFileSync(join(pair.ours.root, "notes.txt"), "utf8")).toBe(before);
  });

  test.each(EDITS)("an edit is made at once and answered as the reference server does: %s", async (_what, given) => {
    const [mine, theirs] = await pair.both("edit_file", given);
    expect(mine).toEqual(theirs);
    const path = String(given["path"]).replace("ROOT/", "");
    expect(readFileSync(join(pair.ours.root, path), "utf8")).toBe(
      readFileSync(join(pair.reference.root, path), "utf8"),
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
  ] as [string, string, Given][])(
    "a change is made at once and answered as the reference server does: %s",
    async (_what, name, given) => {
      const [mine, theirs] = await pair.both(name, given);
      expect(mine).toEqual(theirs);
      const listed = await pair.both("search_files", { path: "ROOT", pattern: "**" });
      expect(sorted(listed[0])).toEqual(sorted(listed[1]));
    },
  );
});

describe("the list of tools", () => {
  test("the list of tools has the same names, titles, parameters and forms of results", async () => {
    expect(await factsOf(pair.ours)).toEqual(await factsOf(pair.reference));
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

function sortLines(text: string): string {
  return text.split("\n").sort().join("\n");
}

function timeless(answer: Answer): Answer {
  return JSON.parse(JSON.stringify(answer).replaceAll(/(created|accessed): [^\\]*/g, "$1: TIME")) as Answer;
}

type Properties = Readonly<Record<string, { readonly type?: string }>>;

async function factsOf({ client }: Server) {
  return (await client.listTools()).tools.map(({ name, title, inputSchema, outputSchema }) => ({
    name,
    title,
    required: [...(inputSchema.required ?? [])].sort(),
    parameters: typesOf(inputSchema.properties),
    output: typesOf(outputSchema?.properties),
  }));
}

/** A whole number is one of its numbers. */
function typesOf(properties: Properties = {}): string[] {
  return Object.entries(properties)
    .map(([name, { type }]) => `${name}: ${type === "integer" ? "number" : type}`)
    .sort();
}
