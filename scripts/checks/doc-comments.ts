/**
 * The rules of doc comments: each stands alone, as a sentence with a subject of its own, and names nothing that is not
 * there. A comment that leans on the line above it begins to lie when something is put between the two.
 */
import { basename } from "node:path";
import { blankOut, lineOf, type SourceFile } from "./source-code.ts";

/** Violations as `path:line: message`. @param known of `knownNames` */
export function checkDocComments(file: SourceFile, known: ReadonlySet<string>): string[] {
  return readDocComments(file.text).flatMap(({ line, text }) =>
    [...checkOpening(text), ...checkNames(text, known)].map((problem) => `${file.path}:${line}: ${problem}`),
  );
}

/** Every word of code and strings, and every file name: what a doc comment may name. */
export function knownNames(sources: readonly SourceFile[], paths: readonly string[]): ReadonlySet<string> {
  const words = sources.flatMap(({ text }) => blankOut(text, "comments").match(/[A-Za-z_$][\w$]*/g) ?? []);
  return new Set([...words, ...paths.map((path) => basename(path)), ...sources.map(({ path }) => basename(path))]);
}

interface DocComment {
  /** From 1. */
  readonly line: number;
  /** Without the marks of the comment. */
  readonly text: string;
}

function readDocComments(text: string): DocComment[] {
  // What is blank without comments and was not blank before is a comment, so a `/**` in a string is none.
  const code = blankOut(text, "comments");
  return [...text.matchAll(/\/\*\*(?!\/)([\s\S]*?)\*\//g)]
    .filter(({ index }) => code.charAt(index) === " ")
    .map(({ 1: body = "", index }) => ({
      line: lineOf(text, index),
      text: body.replaceAll(/^[ \t]*\*? ?/gm, "").trim(),
    }));
}

const LEANING = /^(?:Of|The same|Those|It|Its|Once|One more)\b/;

function checkOpening(text: string): string[] {
  const [opening] = LEANING.exec(text) ?? [];
  return opening === undefined
    ? []
    : [`Cannot open a doc comment with "${opening}": say what it is about in a sentence that stands alone`];
}

/** A call, a name in CamelCase or a file of code in backticks; a path is held by its last part. */
const NAMED =
  /`(?:(?<call>[a-zA-Z_$][\w$]*)\([^`]*\)|(?<type>(?:[A-Z][a-z0-9]+){2,})|(?<file>[\w./-]*[\w-]\.(?:ts|mjs)))`/g;

function checkNames(text: string, known: ReadonlySet<string>): string[] {
  return [...text.matchAll(NAMED)].flatMap(({ groups: { call, type, file } = {} }) => {
    const name = call ?? type ?? basename(file ?? "");
    return known.has(name) ? [] : [`Cannot name \`${name}\` in a doc comment: there is no such thing`];
  });
}
