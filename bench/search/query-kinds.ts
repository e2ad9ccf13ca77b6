/**
 * Searches that nobody tuned for: ten of each kind, made from what a sample of the tree's own files holds. One seed
 * gives the same queries for the same tree. Patterns are in the syntax that ripgrep and `grep` share.
 *
 * Usual mistake: to add the pattern that was slow yesterday. A kind makes patterns by a rule, so that whoever makes one
 * of them fast has to make the rule fast.
 */
import type { Query } from "./queries.ts";

export const QUERIES_OF_A_KIND = 10;

/** What a sample of files holds; every list is sorted. */
export interface Vocabulary {
  /** Identifiers that occur in one file of the sample. */
  readonly rare: readonly string[];
  /** Identifiers of every thirtieth to every tenth file. */
  readonly usual: readonly string[];
  /** Identifiers of at least every fifth file. */
  readonly common: readonly string[];
  /** How lines begin: one word, without blanks in front of it. */
  readonly beginnings: readonly string[];
  /** One to three signs that stand between two words. */
  readonly joints: readonly string[];
}

/** A source of numbers from 0 to below 1. */
type Random = () => number;

type MakeQuery = (words: Vocabulary, random: Random) => Omit<Query, "name">;

const SIGNS = /[\\^$.|?*+()[\]{}]/g;

export const QUERY_KINDS: Readonly<Record<string, MakeQuery>> = {
  literal: ({ usual }, random) => literal(pick(usual, random)),
  rare: ({ rare }, random) => literal(pick(rare, random)),
  common: ({ common }, random) => literal(pick(common, random)),
  "case-insensitive": ({ usual }, random) => ({
    args: { pattern: swapCase(pick(usual, random)), case: "insensitive" },
    flags: ["-i"],
  }),
  alternation: ({ rare, usual }, random) =>
    regex([pick(rare, random), pick(rare, random), pick(usual, random), pick(usual, random)].join("|")),
  anchored: ({ beginnings }, random) =>
    regex(`^${pick(["", String.raw`\s*`, String.raw`\t`], random)}${pick(beginnings, random)}`),
  "inner literal": ({ joints }, random) => {
    const around = pick([String.raw`\w+`, "[a-z]+", "[A-Za-z_]+"], random);
    return regex(`${around}${escaped(pick(joints, random))}${around}`);
  },
  "suffix literal": ({ usual }, random) =>
    regex(`${pick([String.raw`\w+`, "[a-z_]+", "[A-Z_]+"], random)}${pick(usual, random).slice(-5)}`),
  digits: (_, random) => {
    const count = 2 + Math.floor(random() * 7);
    const before = pick(["", "0x", String.raw`\b`, String.raw`\s`, String.raw`\(`], random);
    return regex(`${before}${pick(["[0-9]", String.raw`\d`, "[0-9a-f]"], random)}{${count}}`);
  },
  "Unicode class": (_, random) => {
    const name = pick(["Greek", "Cyrillic", "Han", "Lu", "Ll", "Sc", "No", "Nd", "Hiragana", "Sm"], random);
    return regex(`\\p{${name}}${pick(["", "{2}", "{4,}"], random)}`);
  },
  word: ({ usual }, random) => ({ args: { pattern: pick(usual, random), word: true }, flags: ["-w"] }),
  "no match": ({ rare }, random) => literal(`${pick(rare, random).split("").reverse().join("")}_0x`),
  "many matches": (_, random) =>
    regex(pick([String.raw`\w+`, "[a-z]{3}", "e", ";", "[aeiou]", "=", String.raw`\s\w`, "[^a-z]", "_"], random)),
  "many files": ({ common }, random) =>
    regex(`${pick(common, random)}${pick(["", String.raw`\b`, ".", " *"], random)}`),
};

/** Ten queries of each kind, under the kind's name. */
export function makeQueries(words: Vocabulary, seed: number): ReadonlyMap<string, readonly Query[]> {
  const random = randomOf(seed);
  return new Map(
    Object.entries(QUERY_KINDS).map(([kind, make]) => {
      const made = new Map<string, Query>();
      // A short list has fewer patterns than are wanted.
      for (let tries = 0; made.size < QUERIES_OF_A_KIND && tries < 50 * QUERIES_OF_A_KIND; tries++) {
        const query = make(words, random);
        made.set(query.args.pattern, { name: `${kind}: ${query.args.pattern}`, ...query });
      }
      return [kind, [...made.values()]];
    }),
  );
}

function literal(pattern: string): Omit<Query, "name"> {
  return { args: { pattern }, flags: ["-F"] };
}

function regex(pattern: string): Omit<Query, "name"> {
  return { args: { pattern, case: "sensitive" }, flags: [] };
}

function escaped(text: string): string {
  return text.replaceAll(SIGNS, String.raw`\$&`);
}

/** Upper case where most of it is lower case, and the other way round, so that the text as it stands is not what is found. */
function swapCase(word: string): string {
  return word === word.toLowerCase() ? word.toUpperCase() : word.toLowerCase();
}

function pick<T>(list: readonly T[], random: Random): T {
  const one = list[Math.floor(random() * list.length)];
  if (one === undefined) throw new Error("Cannot make queries: the sample of the tree has no such words");
  return one;
}

/** The generator mulberry32: 32 bits of state are plenty for some hundred choices. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
