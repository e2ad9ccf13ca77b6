/**
 * `docs/tools.md` from the tools themselves: names, parameters and answers as they go over the wire, limits as they are
 * in the code. Written by `bun run docs`, compared by `bun run docs -- --check`, so that the page cannot be wrong.
 */
import { limits } from "../../src/base/index.ts";
import { describeTool, type JsonSchema, type Tool } from "../../src/contract/index.ts";
import { builtinTools } from "../../src/packs/index.ts";
import { allPackTools } from "./pack-tools.ts";

/** The built-in tools, and those of packs. */
const TOOLS: readonly Tool[] = [...builtinTools, ...(await allPackTools())];

export function toolsPage(): string {
  return [HEAD, indexTable(), ...TOOLS.map(toolSection), limitsSection()].join("\n\n") + "\n";
}

const HEAD = `<!-- Written by \`bun run docs\` from src/packs; edit those files, not this one. -->

# The tools

Paths are relative to the first root, or absolute inside any root; nothing else can be reached. Read tools answer at
once. Changing tools answer with a proposal that is made when it is approved ([wire.md](wire.md#changes)). A failure is a
result with \`isError: true\`, a text that says what to do next, and the same as data
([failure codes](wire.md#failures)).

The answer is text. A note about it (hash, what was left out, the next call) is the first text block, and the text itself is the
last. With \`--results=structured\` it also has \`structuredContent\` with the members listed under each tool;
more members may come with later versions. Members in brackets are not always there.

These are the built-in ones; those of git are there where a root is a work tree ([git.md](git.md)), those of the web ([reach.md](reach.md)),
of the memory ([memory.md](memory.md)), for media ([media.md](media.md)), of object stores ([objects.md](objects.md)), of a browser ([browser.md](browser.md)), of clusters ([k8s.md](k8s.md)) and for the sessions on
record ([sessions.md](sessions.md)) where the configuration has their pack. There are more where the configuration declares [commands](commands.md) or
[other MCP servers](upstream.md), and where a [client](bridge.md) or [a program of your own](library.md) brings some.`;

function indexTable(): string {
  const rows = TOOLS.map(({ name, effect, title, aliases }) =>
    row(`[${name}](#${name})`, effect, title, (aliases ?? []).map(code).join(" ")),
  );
  return [row("tool", "effect", "what it is for", "also known as"), row("---", "---", "---", "---"), ...rows].join(
    "\n",
  );
}

function toolSection(tool: Tool): string {
  const { inputSchema, outputSchema } = describeTool(tool, {
    structured: true,
    showsAtOnce: false,
  }) as Record<string, JsonSchema>;
  const answer = `Structured answer: ${members(outputSchema ?? {})}.`;
  return [`## ${tool.name}`, tool.summary, parameters(inputSchema ?? {}), answer].join("\n\n");
}

function parameters({ properties = {}, required = [] }: JsonSchema): string {
  const rows = Object.entries(properties).map(([name, schema]) =>
    row(code(name), typeOf(schema), required.includes(name) ? "yes" : "", schema.description ?? ""),
  );
  if (rows.length === 0) return "No parameters.";
  return [row("parameter", "type", "needed", "what it is"), row("---", "---", "---", "---"), ...rows].join("\n");
}

function members({ properties = {}, required = [] }: JsonSchema): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const inner = schema.items?.properties ? ` of {${members(schema.items)}}` : "";
      return `${required.includes(name) ? code(name) : `[${code(name)}]`}${inner}`;
    })
    .join(", ");
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((value) => code(String(value))).join(" ");
  if (schema.type !== "array") return schema.type ?? "";
  const item = schema.items ?? {};
  return item.properties ? `list of {${Object.keys(item.properties).join(", ")}}` : `list of ${item.type}s`;
}

function limitsSection(): string {
  const rows: [what: string, value: string][] = [
    ["entries of one listing", `${limits.MAX_LIST_ENTRIES}`],
    ["paths of one glob", `${limits.USUAL_PATHS} (up to ${limits.MAX_PATHS} on request)`],
    ["matching lines of one grep", `${limits.MAX_GREP_MATCHES}`],
    ["one line of a grep answer", bytes(limits.MAX_GREP_LINE_BYTES)],
    ["text of one answer, where its call names no limit", `${bytes(limits.DEFAULT_ANSWER_BYTES)} (\`answer_bytes\`)`],
    ["text of one answer, at most", bytes(limits.MAX_READ_BYTES)],
    ["lines of one read, where its call names no limit", `${limits.DEFAULT_READ_LINES}`],
    ["one line of a read", bytes(limits.MAX_READ_LINE_BYTES)],
    ["files of one read_files", `${limits.MAX_READ_FILES}`],
    ["new content of one write", bytes(limits.MAX_WRITE_BYTES)],
    ["a file that can be edited", bytes(limits.MAX_EDIT_FILE_BYTES)],
    ["edits of one call", `${limits.MAX_EDITS}`],
    ["files of one replace", `${limits.MAX_REPLACE_FILES}`],
    ["matches of one replace", `${limits.MAX_REPLACEMENTS}`],
    ["a file that replace looks into", bytes(limits.MAX_REPLACE_FILE_BYTES)],
    ["entries of one tree copy or delete", `${limits.MAX_TREE_ENTRIES}`],
    ["time of one call", `${limits.DEFAULT_CALL_MS / 1000} s`],
    ["time of one search, hash or tree operation", `${limits.LONG_CALL_MS / 1000} s`],
    ["life of a proposal", `${limits.PROPOSAL_TTL_MS / 3_600_000} h`],
    ["proposals waiting", `${limits.MAX_PROPOSALS}`],
  ];
  const table = rows.map(([what, value]) => row(what, value));
  return ["## Limits", [row("what", "limit"), row("---", "---"), ...table].join("\n")].join("\n\n");
}

function bytes(count: number): string {
  return count >= 1024 * 1024 ? `${count / 1024 / 1024} MiB` : `${count / 1024} KiB`;
}

function code(text: string): string {
  return `\`${text}\``;
}

function row(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`).replaceAll("\n", " ")).join(" | ")} |`;
}
