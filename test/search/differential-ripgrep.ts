/**
 * ripgrep's answer to a query, in plain rows that can be compared: one for each matching or context line, match, path
 * or count. The program is the one of the package `@vscode/ripgrep`.
 *
 * Two habits of ripgrep are switched: `--crlf`, because this engine takes CR LF for a line end unless the pattern names
 * CR; and the directories that this host leaves out by default are left out there too.
 */
import { rgPath } from "@vscode/ripgrep";
import { limits } from "../../src/base/index.ts";
import type { Query } from "./differential-queries.ts";

export type Rows = readonly string[];

/** What both say of a pattern that cannot be used. */
export const REFUSED: Rows = ["refused"];

/** A line that one of the two may cut is compared by its place only. */
export function shownText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes);
  return text.length > limits.MAX_GREP_LINE_BYTES ? "[long]" : text.toString("utf8");
}

/** A backslash that escapes nothing. ripgrep puts a group around the pattern, whose end it then escapes. */
const ENDS_OPEN = /(?<!\\)(?:\\\\)*\\$/;

/** Which engine ripgrep is to use: its own, or PCRE2, another program by other people. */
export type RipgrepEngine = "default" | "pcre2";

export async function askRipgrep(query: Query, cwd: string, engine: RipgrepEngine = "default"): Promise<Rows> {
  if (!query.literal && ENDS_OPEN.test(query.pattern)) return REFUSED;
  const run = async (output: string): Promise<Buffer | undefined> =>
    await runRipgrep(query, cwd, [`--engine=${engine}`, output]);
  const out = await run(OUTPUT_FLAGS[query.output]);
  if (out === undefined) return REFUSED;
  if (query.output === "content") return contentRows(query, out);
  const rows = out.toString("utf8").split(query.output === "files" ? "\0" : "\n");
  const named = rows.slice(0, -1).map((row) => row.slice("./".length).replace("\0", ":").replace(/\r$/, ""));
  if (query.output === "files" || !(query.multiline || query.only_matching)) return named;
  return withoutSplits(named, messagesOf((await run("--json")) ?? Buffer.alloc(0)));
}

const OUTPUT_FLAGS = { content: "--json", files: "-l", count: "-c" } as const;

async function runRipgrep(query: Query, cwd: string, flags: readonly string[]): Promise<Buffer | undefined> {
  const child = Bun.spawn([rgPath, ...argumentsOf(query), ...flags, "-e", query.pattern, "./"], {
    cwd,
    env: {},
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, said] = await Promise.all([child.stdout.bytes(), child.stderr.text()]);
  return (await child.exited) === 2 && said !== "" ? undefined : Buffer.from(out);
}

/** Counts of matches less the empty ones that split a character; counts of lines stay. */
function withoutSplits(rows: Rows, messages: readonly Message[]): string[] {
  return rows.map((row) => {
    const [path = "", count] = row.split(":");
    const own = messages.filter((it) => it.type === "match" && pathOf(it) === path);
    const all = own.reduce((sum, { data }) => sum + Math.max(1, data.submatches.length), 0);
    const kept = own.reduce((sum, message) => sum + Math.max(1, placesOf(message).length), 0);
    return Number(count) === all ? `${path}:${kept}` : row;
  });
}

export function argumentsOf(query: Query): string[] {
  const args = ["--no-config", "--no-messages", "--sort", "path", "--null", "--no-mmap"];
  if (!/\\[rAz]|\r/.test(query.pattern)) args.push("--crlf");
  const flags: [unknown, string][] = [
    [query.literal, "-F"],
    [query.word, "-w"],
    [query.line, "-x"],
    [query.multiline, "-U"],
    [query.multiline && query.dotall, "--multiline-dotall"],
    [query.invert, "-v"],
    [query.only_matching, "-o"],
    [query.follow, "-L"],
    [query.hidden, "--hidden"],
    [query.binary === "search", "-a"],
    [query.no_ignore, "--no-ignore"],
    [query.case === "smart", "-S"],
    [query.case === "insensitive", "-i"],
  ];
  args.push(...flags.filter(([isSet]) => isSet).map(([, flag]) => flag));
  if (query.max_count !== undefined) args.push(`-m${query.max_count}`);
  if (query.before !== undefined) args.push(`-B${query.before}`);
  if (query.after !== undefined) args.push(`-A${query.after}`);
  for (const glob of query.include ?? []) args.push("-g", glob);
  for (const glob of query.exclude ?? []) args.push("-g", `!${glob}`);
  if (!query.no_ignore) for (const name of limits.SKIPPED_DIRECTORIES) args.push("-g", `!${name}/`);
  for (const type of query.type ?? []) args.push("-t", type);
  return args;
}

type Text = { readonly text: string } | { readonly bytes: string };

interface Message {
  readonly type: string;
  readonly data: {
    readonly path: Text;
    readonly lines: Text;
    readonly line_number: number;
    readonly submatches: readonly { readonly match: Text; readonly start: number }[];
  };
}

function messagesOf(out: Buffer): Message[] {
  const lines = out.toString("utf8").split("\n").slice(0, -1);
  return lines.map((json): Message => JSON.parse(json)).filter(({ type }) => type === "match" || type === "context");
}

function pathOf({ data }: Message): string {
  return bytesOf(data.path).toString("utf8").slice("./".length);
}

function contentRows(query: Query, out: Buffer): string[] {
  return messagesOf(out).flatMap((message) => {
    const path = pathOf(message);
    if (message.type === "context") return linesOf(message).map(({ line, text }) => `${path}-${line}-${text}`);
    return query.only_matching && !query.invert ? matchRows(path, message) : lineRows(path, message);
  });
}

/** Each line; one where a match begins that shares no line with another before it has that match's column. */
function lineRows(path: string, message: Message): string[] {
  const starts = new Map<number, number>();
  const places = placesOf(message);
  let last = 0;
  for (const { line, column, endLine } of places) {
    if (line > last) starts.set(line, column);
    last = Math.max(last, endLine);
  }
  return linesOf(message).map(({ line, text }) => {
    const isShown = places.some((place) => place.line <= line && line <= place.endLine);
    // Of a line without a match to show ripgrep names no column.
    const column = starts.get(line) ?? (isShown ? "" : "?");
    return `${path}:${line}:${column}:${text}`;
  });
}

function matchRows(path: string, message: Message): string[] {
  return placesOf(message).map(({ line, column, text }) => `${path}:${line}:${column}:${text}`);
}

interface Place {
  readonly line: number;
  readonly endLine: number;
  readonly column: number;
  readonly text: string;
}

/** ripgrep also finds empty matches between the bytes of one character; those are left out. */
function placesOf({ data }: Message): Place[] {
  const whole = bytesOf(data.lines);
  return data.submatches.flatMap(({ match, start }) => {
    const bytes = bytesOf(match);
    if (bytes.length === 0 && splitsCharacter(whole, start)) return [];
    const before = whole.subarray(0, start);
    const line = data.line_number + before.filter((byte) => byte === 10).length;
    const endLine = line + bytes.subarray(0, -1).filter((byte) => byte === 10).length;
    const isEnded = bytes.at(-1) === 10;
    return [
      {
        line,
        endLine,
        column: start - before.lastIndexOf(10),
        text: shownText(isEnded ? endless(bytes) : bytes),
      },
    ];
  });
}

function splitsCharacter(bytes: Buffer, at: number): boolean {
  return ((bytes[at] ?? 0) & 0xc0) === 0x80;
}

function endless(line: Buffer): Buffer {
  return line.subarray(0, line.at(-2) === 13 ? -2 : -1);
}

function linesOf({ data }: Message): { line: number; text: string }[] {
  return splitLines(bytesOf(data.lines)).map((bytes, at) => ({
    line: data.line_number + at,
    text: shownText(bytes),
  }));
}

/** Without their ends; what stands behind the last line feed is a line only when it is something. */
export function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(10, start);
    const end = feed < 0 ? bytes.length : feed;
    lines.push(bytes.subarray(start, bytes[end - 1] === 13 && end > start ? end - 1 : end));
    start = end + 1;
  }
  return lines;
}

function bytesOf(text: Text): Buffer {
  return "text" in text ? Buffer.from(text.text, "utf8") : Buffer.from(text.bytes, "base64");
}
