/**
 * The exports of an entry point with what stands above and in their declarations, read from the sources: through the faces
 * that pass them on, to the file that declares them. Relies on the form that oxfmt gives every source.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Exported {
  readonly name: string;
  /** The text of the docstring, without the marks. */
  readonly doc: string;
  /** Without bodies, as a caller sees it. */
  readonly signature: string;
}

/** In alphabetical order. @param entry an absolute path */
export function readExports(entry: string): readonly Exported[] {
  return passedOn(entry)
    .map(({ name, as, from }) => ({ ...findDeclaration(join(dirname(entry), from), name, as), name: as }))
    .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
}

interface Passed {
  readonly name: string;
  readonly as: string;
  readonly from: string;
}

/** The exports of a face, and those of the faces that it passes on whole. */
function passedOn(file: string): Passed[] {
  const text = readFileSync(file, "utf8");
  const whole = [...text.matchAll(/^export type \* from "([^"]+)";/gm)].flatMap(([, face = ""]) =>
    passedOn(join(dirname(file), face)).map((one) => ({ ...one, from: join(dirname(face), one.from) })),
  );
  const named = [...text.matchAll(/^export (?:type )?\{([^}]+)\} from "([^"]+)";/gm)].flatMap(
    ([, list = "", from = ""]) =>
      list
        .split(",")
        .map((one) => one.trim().replace(/^type /, ""))
        .filter((one) => one !== "")
        .map((one) => {
          const [name = "", as = name] = one.split(" as ");
          return { name, as, from };
        }),
  );
  return [...whole, ...named];
}

/** @throws Error for one without a docstring: everything that a consumer can import says what it is */
function findDeclaration(file: string, name: string, as: string): Omit<Exported, "name"> {
  const text = readFileSync(file, "utf8");
  const next = passedOn(file).find((one) => one.as === name);
  if (next) return findDeclaration(join(dirname(file), next.from), next.name, as);
  const start = new RegExp(String.raw`^export (?:async )?(?:function|class|interface|type|const) ${name}\b`, "m").exec(
    text,
  );
  if (!start) throw new Error(`Cannot find "${name}": ${file} does not export it`);
  const doc = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(text.slice(0, start.index))?.[1];
  if (doc === undefined) throw new Error(`Cannot document "${name}": it has no docstring in ${file}`);
  const signature = signatureOf(text.slice(start.index), name).replace(new RegExp(String.raw`\b${name}\b`), as);
  return { doc: plain(doc), signature };
}

function plain(doc: string): string {
  return doc
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, ""))
    .join("\n")
    .trim();
}

function signatureOf(text: string, name: string): string {
  const bare = text.replace(/^export (?:async )?/, "");
  if (bare.startsWith("function")) return overloads(bare, name);
  if (bare.startsWith("class")) return classOutline(bare);
  if (bare.startsWith("interface")) return /^interface [\s\S]*?(?:\{\}|^\})$/m.exec(bare)?.[0] ?? "";
  if (bare.startsWith("const")) return constant(bare);
  return upTo(bare, (at) => bare[at] === ";") + ";";
}

/** The overloads before the implementation, or the head of the implementation where there are none. */
function overloads(text: string, name: string): string {
  const heads: string[] = [];
  for (const part of text.split(/^export (?=(?:async )?function)/m)) {
    if (!part.replace("async ", "").startsWith(`function ${name}`)) break;
    const end = upTo(part, (at) => part[at] === ";" || part.startsWith("{\n", at));
    const isBody = part[end.length] === "{";
    if (isBody && heads.length > 0) break;
    heads.push(`${end.trim()};`);
    if (isBody) break;
  }
  return heads.join("\n");
}

function constant(text: string): string {
  const head = upTo(text, (at) => text.startsWith(" =", at));
  return head.includes(":") ? `${head};` : `${upTo(text, (at) => text[at] === ";")};`;
}

/** Fields, constructor and methods that are not private, with their docstrings. */
function classOutline(text: string): string {
  const body = text.slice(0, /^\}/m.exec(text)?.index);
  const [head = "", ...lines] = body.split("\n");
  const kept: string[] = [];
  let doc: string[] = [];
  for (const line of lines) {
    if (/^ {2}(\/\*\*| \*)/.test(line)) doc.push(line);
    else if (/^ {2}[a-z[]/.test(line)) {
      kept.push(...doc, memberOf(line));
      doc = [];
    } else if (line.trim() !== "") doc = [];
  }
  return [head, ...kept, "}"].join("\n");
}

/** What has a default need not be given. */
function memberOf(line: string): string {
  return line
    .replace("override ", "")
    .replace(/ = (".*");$/, ": $1;")
    .replaceAll(/(\w+): ([\w.]+) = [^,)]+(?=[,)])/g, "$1?: $2")
    .replace(/ \{$/, ";");
}

/** Up to where it is so outside of all brackets and comments. A body begins outside, at the end of its line. */
function upTo(text: string, isEnd: (at: number) => boolean): string {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text.startsWith("/*", at)) at = text.indexOf("*/", at) + 1;
    else if (depth === 0 && isEnd(at)) return text.slice(0, at);
    else if ("([{".includes(text[at] ?? "")) depth++;
    else if (")]}".includes(text[at] ?? "")) depth--;
  }
  return text;
}
