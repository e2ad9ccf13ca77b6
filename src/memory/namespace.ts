/**
 * Names of notes: `global/knowledge` is the file `global/knowledge.md` below the folder of the memory. The alphabet is small on
 * purpose, so that a namespace has one spelling on every file system, and a rule about it cannot be passed by another one.
 */
import { Failure } from "../base/index.ts";

/** Levels of a namespace. */
export const MAX_LEVELS = 8;
export const MAX_NAMESPACES = 10_000;
/** Bytes of all namespaces together. */
export const MAX_MEMORY_BYTES: number = 256 * 1024 * 1024;

const NAME = "[a-z0-9_](?:[a-z0-9._-]{0,62}[a-z0-9_-])?";

/** What a namespace looks like: 1 to 8 names of 1 to 64 lower case letters, digits and `._-`. */
const NAMESPACE: RegExp = new RegExp(`^${NAME}(?:/${NAME}){0,${MAX_LEVELS - 1}}$`);

const EXTENSION = ".md";

/** @throws Failure `invalid_input` */
export function fileOfNamespace(namespace: string, verb: string): string {
  const names = namespace.split("/");
  const why = NAMESPACE.test(namespace)
    ? names.some((name) => name.endsWith(EXTENSION)) && "a name in it ends in .md, which only files do"
    : reasonAgainst(names);
  if (why !== false)
    throw new Failure("invalid_input", `Cannot ${verb} ${JSON.stringify(namespace.slice(0, 200))}: ${why}`, {
      hint: `A namespace is 1 to ${MAX_LEVELS} names with slashes between them, each of 1 to 64 of a-z, 0-9, ".", "_" and "-": global/knowledge.`,
    });
  return namespace + EXTENSION;
}

function reasonAgainst(names: readonly string[]): string {
  if (names.length > MAX_LEVELS) return `it has more than ${MAX_LEVELS} levels`;
  if (names.includes("")) return "a name in it is empty";
  if (names.some((name) => name.startsWith(".") || name.endsWith("."))) return "a name in it begins or ends with a dot";
  if (names.some((name) => name.length > 64)) return "a name in it is longer than 64 characters";
  return "it has a character that no namespace has";
}

/** The namespace of a file, by its path below the folder; `undefined` for what is no note. */
export function namespaceOfFile(rel: string): string | undefined {
  if (!rel.endsWith(EXTENSION)) return undefined;
  const namespace = rel.slice(0, -EXTENSION.length);
  return NAMESPACE.test(namespace) ? namespace : undefined;
}
