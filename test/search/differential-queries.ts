/**
 * Random questions for the comparison with ripgrep: patterns over the alphabet of the random trees in every piece of
 * syntax that both engines have, and every flag that both have. One pattern in twenty is damaged: then both must refuse.
 */
import { fc } from "../property.ts";
import { listed } from "./differential-words.ts";
import type { GrepOptions } from "../../src/search/index.ts";

const literalAtom = listed(
  String.raw`a b f o foo bar x 1 2 _ - k K s \. \* \( \[ \{ \$ \\ \t \x61 \u{e9} \x{65e5} \| \- \r`,
  "é",
  "É",
  "σ",
  "ß",
  "日",
  "🙂",
  " ",
);
const classAtom = listed(
  String.raw`. \w \W \d \D \s \S [ab] [^a] [a-f] [^\w] [\s\d] \p{L} \p{Lu} \P{L} \pN \p{Greek} [[:alpha:]] [[:^space:]] [a-z&&[^b]] [\w--o] [.*] []a] [^]] [a-] \p{Han} [[:punct:]]`,
  "[é-ü]",
  "[^é]",
);
const anchorAtom = listed(String.raw`^ $ \b \B \< \> \b{start} \b{end} \b{start-half} \b{end-half}`);
const wholeAnchor = fc.constantFrom("\\A", "\\z");

const { regex } = fc.letrec<{ regex: string; branch: string; piece: string; group: string }>((tie) => ({
  regex: fc.array(tie("branch"), { minLength: 1, maxLength: 2 }).map((branches) => branches.join("|")),
  branch: fc.array(tie("piece"), { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join("")),
  piece: fc
    .tuple(
      fc.oneof(
        { maxDepth: 2, withCrossShrink: true },
        { weight: 8, arbitrary: literalAtom },
        { weight: 4, arbitrary: classAtom },
        { weight: 3, arbitrary: tie("group") },
        { weight: 2, arbitrary: anchorAtom },
      ),
      listed(String.raw`* + ? {2} {1,2} {0,1} {2,} *? +? ??`, "", "", "", "", ""),
    )
    .map(([atom, times]) => atom + times),
  group: fc
    .tuple(fc.constantFrom("(", "(?:", "(?i:", "(?P<n>", "(?s:", "(?-i:", "(?U:", "(?x: "), tie("regex"))
    .map(([open, inner]) => `${open}${inner})`),
}));

/** What looks at the text before it, or at line ends. */
const LOOKS = /\^|\$|\\[bB<>Az]/;
const regexWithoutLooks = regex.filter((pattern) => !LOOKS.test(pattern));

/** Names may stand once only. */
function withoutRepeatedNames(pattern: string): string {
  let count = 0;
  return pattern.replaceAll("(?P<n>", () => `(?P<n${count++}>`);
}

const damaged = fc
  .tuple(regex, fc.constantFrom("(", ")", "[", "]", "{", "}", "*", "\\", "(?=a)", "\\q", "\\1", "\\n", "?"), fc.nat())
  .map(([pattern, sign, at]) => {
    const cut = at % (pattern.length + 1);
    return pattern.slice(0, cut) + sign + pattern.slice(cut);
  });

const plainText = fc
  .array(listed(String.raw`a b foo Foo k . ( [a] \ $ -2 ab |`, "é", "É", "ß", "日本", "🙂", " "), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.join(""));

interface Pattern {
  readonly pattern: string;
  readonly literal: boolean;
  /** Anchored at the whole text. */
  readonly isWhole?: boolean;
  /** Made to match line feeds. */
  readonly isLong?: boolean;
}

const patternAndKind: fc.Arbitrary<Pattern> = fc.oneof(
  {
    weight: 16,
    arbitrary: regex.map((pattern) => ({ pattern: withoutRepeatedNames(pattern), literal: false })),
  },
  { weight: 5, arbitrary: plainText.map((pattern) => ({ pattern, literal: true })) },
  {
    weight: 1,
    arbitrary: damaged.map((pattern) => ({ pattern: withoutRepeatedNames(pattern), literal: false })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(wholeAnchor, regexWithoutLooks).map(([anchor, pattern]) => ({
      pattern: withoutRepeatedNames(anchor === "\\A" ? `\\A(?:${pattern})` : `(?:${pattern})\\z`),
      literal: false,
      isWhole: true,
    })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(regexWithoutLooks, fc.constantFrom("\\n", "\\s*\\n", "(?s:.)", "[^x]*"), regexWithoutLooks)
      .map(([head, end, tail]) => ({
        pattern: withoutRepeatedNames(`(?:${head})${end}(?:${tail})`),
        literal: false,
        isLong: true,
      })),
  },
);

/** True now and then. */
const seldom = fc.integer({ min: 0, max: 5 }).map((value) => value === 5);

/** A value in one of `times` cases, and undefined in the others. */
function once<Value>(times: number, arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

const few = fc.integer({ min: 1, max: 3 });

const fileGlob = listed(String.raw`*.ts *.{ts,js} a src /a/* src/** **/b/* ?.js [ab].* .hid !*.md x\[1\].c a/**/*.ts`);

export interface Query extends GrepOptions {
  readonly output: "content" | "files" | "count";
}

interface Drawn {
  readonly what: Pattern;
  readonly case: "sensitive" | "insensitive" | "smart";
  readonly whole: string;
  readonly multiline: boolean;
  readonly dotall: boolean;
  readonly invert: boolean;
  readonly output: "content" | "files" | "count";
  readonly only_matching: boolean;
  readonly max_count: number | undefined;
  readonly hasContext: boolean;
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly follow: boolean;
  readonly hidden: boolean;
  readonly no_ignore: boolean;
  readonly include: string[] | undefined;
  readonly exclude: string[] | undefined;
  readonly type: string[] | undefined;
  readonly binary: "search" | undefined;
}

export const randomQuery: fc.Arbitrary<Query> = fc
  .record<Drawn>({
    what: patternAndKind,
    case: fc.constantFrom<Drawn["case"][]>("sensitive", "sensitive", "insensitive", "smart"),
    whole: fc.constantFrom("", "", "", "", "word", "line"),
    multiline: seldom,
    dotall: fc.boolean(),
    invert: seldom,
    output: fc.constantFrom<Drawn["output"][]>("content", "content", "content", "files", "count"),
    only_matching: seldom,
    max_count: once(6, few),
    hasContext: seldom,
    before: once(2, few),
    after: once(2, few),
    follow: seldom,
    hidden: seldom,
    no_ignore: seldom,
    include: once(10, fc.array(fileGlob, { minLength: 1, maxLength: 2 })),
    exclude: once(10, fc.array(fileGlob, { minLength: 1, maxLength: 2 })),
    type: once(12, fc.constantFrom(["ts"], ["js", "py"], ["txt"], ["make"])),
    binary: once(8, fc.constant<"search">("search")),
  })
  .map(resolve);

function resolve({ what, whole, hasContext, before, after, ...flags }: Drawn): Query {
  const { literal, isWhole = false, isLong = false } = what;
  // A change may have come between the halves of a pair, which no argument can hold.
  const pattern = what.pattern.toWellFormed();
  // ripgrep goes on behind a match as if a text began there, so looks are wrong there when matches span lines; and
  // inverted or with a maximum it counts by those matches.
  const multiline = isLong || (flags.multiline && !isWhole && (literal || !LOOKS.test(pattern)));
  const isPlain = isWhole || multiline;
  const max_count = multiline ? undefined : flags.max_count;
  const hasRows = hasContext && flags.output === "content" && !(flags.only_matching && !isWhole);
  const query = {
    ...flags,
    pattern,
    literal,
    multiline,
    max_count,
    // ripgrep names the lines of `\\A`, but not the matches in them.
    only_matching: !isWhole && flags.only_matching,
    word: !isPlain && whole === "word",
    line: !isPlain && whole === "line",
    invert: !multiline && flags.invert,
    before: hasRows ? before : undefined,
    // After the last of `max_count` matches ripgrep shows matching lines of the context as more matches.
    after: hasRows && max_count === undefined ? after : undefined,
  };
  // Only what was said: absent and undefined mean the same, and failures are shorter to read.
  const said = Object.entries(query).filter(([, value]) => value !== undefined && value !== false);
  return { pattern, output: query.output, ...Object.fromEntries(said) };
}
