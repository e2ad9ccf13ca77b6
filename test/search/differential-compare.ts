/**
 * One tree, several queries, both engines: the rows that only one of them gave, and whose error that is. The host's engine
 * is asked in process, page by page, so cursors are compared too.
 */
import { Failure } from "../../src/base/index.ts";
import { loadRustEngine } from "../../src/search/engine/rust-engine.ts";
import { grep, type GrepAnswer, type GrepMatch } from "../../src/search/index.ts";
import type { Query } from "./differential-queries.ts";
import { argumentsOf, askRipgrep, REFUSED, type RipgrepEngine, type Rows } from "./differential-ripgrep.ts";
import type { RandomTree } from "./differential-trees.ts";
import { memoryFolder } from "../fixtures/memory-folder.ts";
import { allPages, makeTree, type Tree } from "./make-tree.ts";

export interface Difference {
  readonly text: string;
  /** Two other engines say what the host says. */
  readonly isRipgrepsOwn: boolean;
}

/** The first difference of each query that has one. */
export async function differencesOf(random: RandomTree, queries: readonly Query[]): Promise<Difference[]> {
  using tree = makeTree(random.spec, [], memoryFolder());
  const compared = await Promise.all(
    queries.map(async (query): Promise<Difference | undefined> => {
      const { ripgrep, host } = await answersOf(query, tree, random, "default", "rust");
      const text = describe(query, ripgrep, host);
      if (text === undefined) return undefined;
      if (await isClosedByRipgrep(query, tree, random, { ripgrep, host })) return { text, isRipgrepsOwn: true };
      const others = await answersOf(spelledForPcre(query), tree, random, "pcre2", "backtracking");
      return { text, isRipgrepsOwn: isAlone({ host, pcre2: others.ripgrep, backtracking: others.host }) };
    }),
  );
  return compared.filter((difference) => difference !== undefined);
}

/**
 * Asks the question in the one spelling of a character by its number that Rust and PCRE2 share: PCRE2 refuses `\u{e9}`,
 * and a judge that refuses is none. Nothing else is respelled, and nothing in a text that is taken as it stands.
 */
export function spelledForPcre(query: Query): Query {
  if (query.literal) return query;
  // Escapes are taken as pairs: `\\u` is a backslash and a letter.
  const pattern = query.pattern.replaceAll(/\\(?:u(\{[0-9a-f]+\})|[^])/giu, (escape, number?: string) =>
    number === undefined ? escape : `\\x${number}`,
  );
  return { ...query, pattern };
}

/**
 * ripgrep puts every pattern into a group of its own before it compiles it, and so takes `a)(` for `(?:a)()`: what is
 * no pattern by itself. The host refuses it, as the crate does that both have. In such a group it must give what ripgrep
 * gives.
 */
async function isClosedByRipgrep(
  query: Query,
  tree: Tree,
  random: RandomTree,
  { ripgrep, host }: Answers,
): Promise<boolean> {
  if (!Bun.deepEquals(host, REFUSED) || (await isPattern(query.pattern))) return false;
  const grouped = await askHost({ ...query, pattern: `(?:${query.pattern})` }, tree, "rust");
  return placeOfFirst(ripgrep, comparable(query, grouped.rows, random)) < 0;
}

async function isPattern(text: string): Promise<boolean> {
  const engine = await loadRustEngine();
  try {
    engine.compile(text)[Symbol.dispose]();
    return true;
  } catch {
    return false;
  }
}

/**
 * Who errs where ripgrep and the host differ: ripgrep, if PCRE2 in ripgrep's own hands and the host's backtracking engine
 * both give, row for row, what the host gives. Whatever shares code with one side alone is never enough; a pattern that
 * one of them refuses, or reads otherwise, stays a difference.
 */
export function isAlone({ host, pcre2, backtracking }: Opinions): boolean {
  if (Bun.deepEquals(host, REFUSED)) return false;
  return placeOfFirst(pcre2, host) < 0 && placeOfFirst(backtracking, host) < 0;
}

/** Against ripgrep's. */
export interface Opinions {
  readonly host: Rows;
  readonly pcre2: Rows;
  readonly backtracking: Rows;
}

interface Answers {
  readonly ripgrep: Rows;
  readonly host: Rows;
}

async function answersOf(
  query: Query,
  tree: Tree,
  random: RandomTree,
  theirEngine: RipgrepEngine,
  ourEngine: "rust" | "backtracking",
): Promise<Answers> {
  const [theirs, ours] = await Promise.all([
    askRipgrep(query, tree.path, theirEngine),
    askHost(query, tree, ourEngine),
  ]);
  const host = comparable(query, ours.rows, random);
  const ripgrep = comparable(query, theirs, random);
  return { ripgrep: ours.isCut ? ripgrep.slice(0, host.length) : ripgrep, host };
}

/** -1: they are the same. */
function placeOfFirst(theirs: Rows, ours: Rows): number {
  const at = theirs.findIndex((row, index) => !isSame(row, ours[index]));
  return at >= 0 || theirs.length === ours.length ? at : theirs.length;
}

function describe(query: Query, theirs: Rows, ours: Rows): string | undefined {
  const place = placeOfFirst(theirs, ours);
  if (place < 0) return undefined;
  return [
    JSON.stringify(query),
    `rg ${argumentsOf(query).join(" ")} -e '${query.pattern}'`,
    `  ripgrep: ${JSON.stringify(theirs[place])} (row ${place} of ${theirs.length})`,
    `  host:    ${JSON.stringify(ours[place])} (row ${place} of ${ours.length})`,
  ].join("\n");
}

/** In place of the lines of a match of several that was cut. */
const CUT = "[cut]";

function isSame(theirs: string, ours: string | undefined): boolean {
  if (theirs === ours) return true;
  if (ours?.endsWith(CUT)) return theirs.startsWith(ours.slice(0, -CUT.length));
  return theirs.includes(":?:") && theirs === ours?.replace(/^(.*?:\d+):\d*:/, "$1:?:");
}

/** Without the files in which ripgrep is known to err or to differ. Of bytes that are no text only literals are promised. */
function comparable(query: Query, rows: Rows, tree: RandomTree): Rows {
  const hasContext = query.before !== undefined || query.after !== undefined;
  // Inverted, `-l` reads on behind the first line found, and drops the file at a NUL.
  const readsOn = query.invert && query.output === "files";
  const left = [
    ...(query.literal ? [] : tree.invalid),
    ...(/\\[Az]/.test(query.pattern) ? tree.withCr : []),
    ...(hasContext || readsOn || tree.hasEndlessLine ? tree.lateNul : []),
  ];
  if (left.length === 0) return rows;
  // A link to a folder gives its files another beginning.
  const names = query.follow ? left.map((path) => path.slice(path.indexOf("/") + 1)) : left;
  return rows.filter(
    (row) => !names.some((name) => namesAt(row, name).some((end) => end === row.length || /[:-]/.test(row[end] ?? ""))),
  );

  /** Where the name ends in a row that begins with it, or with a folder before it where links are followed. */
  function namesAt(row: string, name: string): readonly number[] {
    const first = row.startsWith(name) ? [name.length] : [];
    const behind = query.follow ? row.indexOf(`/${name}`) : -1;
    // One row may show the name at both places: `a/a` begins with `a`, and ends with it behind a folder.
    return behind < 0 ? first : [...first, behind + 1 + name.length];
  }
}

/** The first pages of an endless answer are enough. */
const MOST_PAGES = 6;

async function askHost(
  query: Query,
  tree: Tree,
  engine: "rust" | "backtracking",
): Promise<{ rows: Rows; isCut: boolean }> {
  try {
    // A page does not know which context lines the page before has shown.
    const most = query.before === undefined && query.after === undefined ? MOST_PAGES : 1;
    const pages = await allPages((cursor) => grep(tree.ctx, { ...query, engine, cursor }), most);
    return { rows: pages.flatMap((page) => rowsOf(query, page)), isCut: pages.at(-1)?.next !== undefined };
  } catch (thrown) {
    if (!(thrown instanceof Failure) || !REFUSALS.includes(thrown.code)) throw thrown;
    return { rows: REFUSED, isCut: false };
  }
}

const REFUSALS: readonly string[] = ["invalid_input", "unsupported"];

function rowsOf(query: Query, { paths, counts, matches = [] }: GrepAnswer): string[] {
  if (query.output === "files") return paths ?? [];
  if (query.output === "count") return countRows(counts);
  return query.only_matching && !query.invert ? matches.map(matchRow) : matches.flatMap(lineRows);
}

function countRows(counts: GrepAnswer["counts"]): string[] {
  return (counts ?? []).map(({ path, count }) => `${path}:${count}`);
}

function matchRow({ path, line, column, text, cut }: GrepMatch): string {
  return `${path}:${line}:${column}:${cut ? "[long]" : text}`;
}

function lineRows(match: GrepMatch): string[] {
  const { path, line, column, text, cut, before = [], after = [] } = match;
  const count = (match.end_line ?? line) - line + 1;
  const own =
    count > 1 && cut
      ? Array.from({ length: count }, () => CUT)
      : (cut ? ["[long]"] : text.split("\n")).map((part, at, { length }) =>
          at < length - 1 ? part.replace(/\r$/, "") : part,
        );
  return [
    ...before.map((it) => `${path}-${it.line}-${it.cut ? "[long]" : it.text}`),
    ...own.map((part, at) => `${path}:${line + at}:${at === 0 ? column : ""}:${part}`),
    ...after.map((it) => `${path}-${it.line}-${it.cut ? "[long]" : it.text}`),
  ];
}
