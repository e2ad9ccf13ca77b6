/**
 * Contents by regular expression or literal text, in the form that ripgrep's users know.
 */
import * as z from "zod";
import { limits } from "../../../base/index.ts";
import { countsOf, defineTool, type ReadTool, type SearchApi } from "../../../contract/index.ts";
import { nextCall, noteOf } from "../../answer.ts";
import * as fields from "../../fields.ts";
import { flag, patternFields } from "../pattern-fields.ts";
import { describeTotals } from "./search-totals.ts";

const lines = (what: string): z.ZodOptional<z.ZodNumber> => z.number().int().min(0).max(100).optional().describe(what);

export const grep: ReadTool = defineTool({
  name: "grep",
  title: "Search file contents",
  summary: `Searches file contents with a regular expression (ripgrep's syntax; escape literal parentheses and braces, or use literal: true). Answers matching lines as path:line:text, at most ${limits.MAX_GREP_MATCHES} (and about 32 KB, unless you give a limit); output: files or count for an overview. What was skipped (ignored, binary, unreadable) is counted in the note.`,
  aliases: ["Grep"],
  effect: "read",
  core: true,
  pages: true,
  long: true,
  timeoutMs: limits.LONG_CALL_MS,
  input: () =>
    z.strictObject({
      ...patternFields(),
      invert: flag("Lines that do not match."),
      before: lines("Lines to show before each match."),
      after: lines("Lines to show after each match."),
      context: lines("Lines to show before and after each match."),
      output: z
        .enum(["content", "files", "count"])
        .optional()
        .describe("content: the lines; files: only paths; count: matches a file. Default content."),
      only_matching: flag("Only the matched part of each line."),
      max_count: z.number().int().min(1).optional().describe("At most this many matching lines a file."),
      follow: flag("Follow links that stay inside the roots."),
      binary: z
        .enum(["skip", "search"])
        .optional()
        .describe("search: look into files with NUL bytes as into any other. Default skip."),
      engine: z
        .enum(["auto", "rust", "backtracking"])
        .optional()
        .describe(
          "auto: linear time, and PCRE2 (backtracking) only for look-around and back-references; the answer says which.",
        ),
      hidden: fields.hidden(),
      no_ignore: fields.noIgnore(),
      limit: z
        .number()
        .int()
        .min(1)
        .max(limits.MAX_PATHS)
        .optional()
        .describe(
          `Results to return. Default ${limits.MAX_GREP_MATCHES} lines, which is also the most, or ${limits.USUAL_PATHS} files of at most ${limits.MAX_PATHS}; without a limit about 32 KB of them.`,
        ),
      skip: z.number().int().min(0).max(100_000).optional().describe("Results to pass over first. Default 0."),
      cursor: fields.cursor(),
    }),
  output: () =>
    z.looseObject({
      matches: z
        .array(z.looseObject({ path: z.string(), line: z.number(), column: z.number(), text: z.string() }))
        .optional(),
      paths: z.array(z.string()).optional(),
      counts: z.array(z.looseObject({ path: z.string(), count: z.number() })).optional(),
      ...fields.counted(),
      ...fields.cut(),
    }),
  access: (input) => [{ path: input.path ?? ".", mode: "read", deep: true }],
  idempotent: true,
  async run(input, ctx) {
    const { path = ".", ...same } = input;
    const answer = await ctx.search.grep({ ...same, path });
    const text = grepText(answer, input);
    return {
      text: text === "" ? "No matches." : text,
      note: noteOf(
        ...describeTotals(answer),
        engineNote(answer.engine),
        cutNote(answer),
        answer.hint,
        nextCall("grep", answer.next),
      ),
      structured: { ...answer, ...grepCounts(answer) },
      truncated: answer.truncated,
    };
  },
});

/** The unit is that of the answer: matching lines, or files. */
function grepCounts({ matches, paths, counts, totals }: ShownGrep): ReturnType<typeof countsOf> {
  const files = paths ?? counts;
  const matched = files ? totals.files_matched : totals.matches;
  return countsOf(matched, (files ?? matches ?? []).length, totals.at_least);
}

export type ShownGrep = Awaited<ReturnType<SearchApi["grep"]>>;
type Match = NonNullable<ShownGrep["matches"]>[number];

/** The parameters that ask for lines around a match. */
interface AroundMatch {
  readonly context?: number | undefined;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** The results of an answer as text, without what is said about them. */
export function grepText(answer: ShownGrep, { context = 0, before = context, after = context }: AroundMatch): string {
  if (answer.counts) return answer.counts.map(({ path, count }) => `${path}:${count}`).join("\n");
  if (answer.paths) return answer.paths.join("\n");
  const matches = answer.matches ?? [];
  // Also where no match has any: groups of lines are set apart wherever lines around them were asked for, as by ripgrep.
  return before + after > 0
    ? contextText(matches)
    : matches.map((match) => `${match.path}:${match.line}:${match.text}`).join("\n");
}

/** The others are what everybody expects. */
function engineNote(engine: ShownGrep["engine"]): string {
  return engine === "backtracking" ? "engine: backtracking" : "";
}

/** Lines that were cut are read whole by another call, which says how to go on in one that is longer than an answer. */
function cutNote({ matches = [] }: ShownGrep): string {
  const cut = matches.filter((match) => match.cut);
  const [first] = cut;
  if (!first) return "";
  const others = cut.length > 1 ? ` and ${cut.length - 1} more` : "";
  const whole = { path: first.path, offset: first.line, limit: 1 };
  return `cut for length: line ${first.line} of ${first.path}${others}. All of it: read_file ${JSON.stringify(whole)}`;
}

/** As ripgrep: `path:line:` for a match, `path-line-` around it, `--` between groups, no line twice. */
function contextText(matches: readonly Match[]): string {
  const rows = new Map<string, Map<number, Row>>();
  for (const match of matches) {
    const file = rows.get(match.path) ?? new Map<number, Row>();
    rows.set(match.path, file);
    for (const { line, text } of [...(match.before ?? []), ...(match.after ?? [])])
      if (!file.has(line)) file.set(line, { text: `${match.path}-${line}-${text}`, end: line });
    file.set(match.line, { text: `${match.path}:${match.line}:${match.text}`, end: match.end_line ?? match.line });
  }
  return [...rows.values()].map(groupsOf).join("\n--\n");
}

interface Row {
  readonly text: string;
  /** The last line of a match that spans several. */
  readonly end: number;
}

function groupsOf(file: ReadonlyMap<number, Row>): string {
  let last: number | undefined;
  const out: string[] = [];
  for (const [line, { text, end }] of [...file].sort(([a], [b]) => a - b)) {
    if (last !== undefined && line > last + 1) out.push("--");
    out.push(text);
    last = Math.max(last ?? 0, end);
  }
  return out.join("\n");
}
