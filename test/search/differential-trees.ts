/**
 * Random trees for the comparison with ripgrep: nested and hidden directories, ignore files of every kind, links inside
 * the tree, and files of every oddity that a search meets. Small alphabets, so that patterns find something.
 */
import { fc } from "../property.ts";
import { listed } from "./differential-words.ts";
import type { TreeSpec } from "./make-tree.ts";

export interface RandomTree {
  readonly spec: TreeSpec;
  /** Files that are not valid UTF-8: regular expressions may differ there. */
  readonly invalid: ReadonlySet<string>;
  /** Files with CR: with `--crlf`, ripgrep cuts a byte too much off other lines before it looks for `\z`. */
  readonly withCr: ReadonlySet<string>;
  /**
   * Files that are large and hold a NUL: where ripgrep's reads end there depends on the context asked for, and on the
   * longest line of the files before.
   */
  readonly lateNul: ReadonlySet<string>;
  readonly hasEndlessLine: boolean;
}

/** About 64 KB of it end where a buffer of ripgrep ends. */
const LATE_BYTES: number = 64 * 1024;
const FILLER = "filler line of no interest\n";

const directory = fc.constantFrom("a", "b", "src", "lib", ".h", "build", "dist", "a b");
const fileName = listed(String.raw`a.ts b.js c.txt d.md Makefile .hid x[1].c a log B.TS e.log`, "é.py");
const filePath = fc
  .tuple(fc.array(directory, { maxLength: 3 }), fileName)
  .map(([directories, name]) => [...directories, name].join("/"));

const rulePart = listed(String.raw`a b src * *.ts a.* ** ?.js [ab] [!a]* build x\[1\].c .h e.log`, "é.py");
const rule = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .tuple(
        fc.constantFrom("", "", "!", "/", "!/"),
        fc.array(rulePart, { minLength: 1, maxLength: 3 }),
        fc.constantFrom("", "", "/"),
      )
      .map(([head, parts, tail]) => head + parts.join("/") + tail),
  },
  { weight: 1, arbitrary: fc.constantFrom("# note", "", "a ", "\\!a", "[a", "a\\", "/", "a//b") },
);
const ignoreFile = fc
  .tuple(fc.array(rule, { minLength: 1, maxLength: 4 }), fc.constantFrom("\n", "\r\n"))
  .map(([rules, end]) => Buffer.from(rules.join(end) + end));
const ignorePath = fc
  .tuple(fc.array(directory, { maxLength: 2 }), fc.constantFrom(".gitignore", ".ignore", ".rgignore"))
  .map(([directories, name]) => [...directories, name].join("/"));

const word = listed(
  String.raw`a b ab aab foo Foo bar foo_bar x1 12 -2 k . * ( [a] {2} $ \ a-b |`,
  "é",
  "É",
  "σ",
  "ς",
  "ß",
  "日本",
  "🙂",
  "\u212a",
  "e\u0301",
  "\t",
  "\u00a0",
  "\u2028",
  "\r",
);
const line = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(fc.array(word, { maxLength: 6 }), fc.constantFrom("", " ", " "))
      .map(([words, gap]) => words.join(gap)),
  },
  { weight: 1, arbitrary: word.map((text) => `${"long é ".repeat(200)}${text}${" tail".repeat(150)}`) },
);
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom("\n", "\n", "\n", "\r\n"), fc.boolean())
  .map(([lines, end, isEnded]) => lines.join(end) + (isEnded ? end : ""));

/** Something put into a text at any byte. */
function planted(what: fc.Arbitrary<number[]>): fc.Arbitrary<Buffer> {
  return fc.tuple(text, what, fc.nat()).map(([around, bytes, at]) => {
    const whole = Buffer.from(around);
    const cut = at % (whole.length + 1);
    return Buffer.concat([whole.subarray(0, cut), Buffer.from(bytes), whole.subarray(cut)]);
  });
}

const oddBytes = fc.constantFrom<number[][]>(
  [0xff],
  [0xc3],
  [0xe2, 0x82],
  [0xed, 0xa0, 0x80],
  [0x80, 0x80],
  [0xf5],
  [0xc0, 0x80],
);

const content: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 40, arbitrary: text.map((whole) => Buffer.from(whole)) },
  { weight: 2, arbitrary: text.map((whole) => Buffer.from(`\ufeff${whole}`)) },
  { weight: 1, arbitrary: text.map((whole) => Buffer.from(`\ufeff${whole}`, "utf16le")) },
  { weight: 1, arbitrary: text.map((whole) => Buffer.from(`\ufeff${whole}`, "utf16le").swap16()) },
  { weight: 3, arbitrary: planted(fc.constant([0])) },
  { weight: 3, arbitrary: planted(oddBytes) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(text, fc.integer({ min: 2400, max: 3200 }), planted(fc.constantFrom([], [0])), fc.boolean())
      .map(([head, count, tail, isEven]) =>
        Buffer.concat([
          Buffer.from(`${head}\n`),
          Buffer.from(isEven ? FILLER.repeat(count) : FILLER.slice(0, -1).repeat(count)),
          tail,
        ]),
      ),
  },
);

const link = fc
  .tuple(filePath, fc.constantFrom(".", "a", "b/a.ts", "src", "none", "..", "c.txt"))
  .map(([path, target]): [string, { readonly link: string }] => [path, { link: target }]);

export const randomTree: fc.Arbitrary<RandomTree> = fc
  .record({
    files: fc.array(fc.tuple(filePath, content), { minLength: 1, maxLength: 10 }),
    rules: fc.array(fc.tuple(ignorePath, ignoreFile), { maxLength: 4 }),
    links: fc.array(link, { maxLength: 2 }),
    isRepository: fc.boolean(),
    exclude: fc.option(ignoreFile, { nil: undefined }),
  })
  .map(({ files, rules, links, isRepository, exclude }) => {
    const repository: [string, Buffer][] = isRepository ? [[".git/HEAD", Buffer.from("foo a")]] : [];
    if (isRepository && exclude !== undefined) repository.push([".git/info/exclude", exclude]);
    const spec = Object.fromEntries(
      withoutClashes<TreeSpec[string]>([...repository, ...files, ...rules, ...insideOnly(links)]),
    );
    const pathsWhere = (holds: (bytes: Uint8Array) => boolean): Set<string> => {
      const found = Object.entries(spec).filter(([, value]) => value instanceof Uint8Array && holds(value));
      return new Set(found.map(([path]) => path));
    };
    return {
      spec,
      invalid: pathsWhere((bytes) => !isText(bytes)),
      withCr: pathsWhere((bytes) => bytes.includes(13)),
      hasEndlessLine: pathsWhere(isEndless).size > 0,
      lateNul: pathsWhere((bytes) => bytes.length > LATE_BYTES && bytes.includes(0)),
    };
  });

/** A path is one thing: not a file twice, nor a file and a directory. */
function withoutClashes<Value>(entries: readonly (readonly [string, Value])[]): (readonly [string, Value])[] {
  return entries.filter(
    ([path], at) => !entries.some(([other], index) => other.startsWith(`${path}/`) || (other === path && index < at)),
  );
}

/** Links that climb out of the tree are another test's matter: ripgrep would follow them. */
function insideOnly<Value extends { readonly link: string }>(links: readonly [string, Value][]): [string, Value][] {
  return links.filter(([path, { link: target }]) => target !== ".." || path.includes("/"));
}

/** Whether a line is longer than a buffer of ripgrep. */
function isEndless(bytes: Uint8Array): boolean {
  let start = 0;
  for (let feed = bytes.indexOf(10); feed >= 0; feed = bytes.indexOf(10, start)) {
    if (feed - start > LATE_BYTES) return true;
    start = feed + 1;
  }
  return bytes.length - start > LATE_BYTES;
}

function isText(bytes: Uint8Array): boolean {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) return true;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
