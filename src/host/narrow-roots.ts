/**
 * What the roots of a client leave of the roots of the command line: never more than those. A directory inside a root
 * narrows to it, one that holds a root keeps the root whole, one beside all of them adds nothing.
 *
 * Both sides are compared as canonical paths, at the moment when the client's answer is taken. Whether something outside
 * the roots exists is looked at and told to nobody. A `file:` URI (RFC 8089) is read strictly and byte for byte, because it
 * decides what can be reached: a host of another machine, a query, a fragment, `.` and `..`, a broken escape, an escaped slash
 * or NUL make it unusable.
 *
 * Usual mistake: `new URL` and `fileURLToPath`, which fold `..`, accept what they cannot mean, and cannot hold names
 * that are not UTF-8.
 */
import { realpathSync, statSync } from "node:fs";
import { isInside, sayLeft, sayOffered, type Narrowed, type RootSpec } from "../scope/index.ts";
import { fsName, nameFromBytes } from "../sys/index.ts";

export interface Narrowing {
  /** Canonical directories, none inside another; `undefined` when every root is kept whole. */
  readonly within: readonly string[] | undefined;
  /** Entries that named no local directory by a usable URI. */
  readonly ignored: number;
}

/** A narrowing, with the words about it. */
export interface ToldNarrowing extends Narrowing, Narrowed {
  readonly within: readonly string[] | undefined;
  /** Which roots are closed and what the client offered; "" when all are open. */
  readonly said: string;
}

export function narrowAndTell(answer: readonly unknown[], roots: readonly RootSpec[]): ToldNarrowing {
  const narrowing = narrowRoots(answer, roots);
  const offered = answer.slice(0, MAX_OFFERED).flatMap((root) => pathOf(root) ?? []);
  const left = roots.flatMap(
    ({ path }) => sayLeft({ path, canonical: canonical(path) ?? path }, narrowing.within ?? ["/"]) ?? [],
  );
  const said = left.length === 0 ? "" : `the client ${left.join(" and ")}: ${sayOffered(offered)}`;
  return { ...narrowing, offered, said };
}

/** A client with more is taken at its first ones: each costs a few calls to the system. */
const MAX_OFFERED = 256;

export function narrowRoots(offered: readonly unknown[], roots: readonly RootSpec[]): Narrowing {
  // Who has nothing open says nothing about what may be reached; some clients always answer so.
  if (offered.length === 0) return { within: undefined, ignored: 0 };
  const bases = roots.map(({ path }) => canonical(path) ?? path);
  const paths = offered.slice(0, MAX_OFFERED).map(pathOf);
  const usable = paths.filter((path) => path !== undefined);
  const kept = [...new Set(usable.flatMap((path) => shared(path, bases)))];
  const isWhole = bases.every((base) => kept.some((directory) => isInside(base, directory)));
  const outermost = kept.filter((one) => !kept.some((other) => other !== one && isInside(one, other)));
  return { within: isWhole ? undefined : outermost.sort(), ignored: offered.length - usable.length };
}

function pathOf(root: unknown): string | undefined {
  const uri = typeof root === "object" && root !== null && "uri" in root ? root.uri : undefined;
  return typeof uri === "string" ? parseFileUri(uri) : undefined;
}

/** What one offered directory and the roots have in common. */
function shared(path: string, bases: readonly string[]): string[] {
  // Whatever lies above a canonical path has no link in it, and need not be looked at, which may be forbidden.
  const whole = bases.filter((base) => isInside(base, path));
  const real = canonical(path);
  if (real === undefined) return whole;
  const reached = bases.flatMap((base) => (isInside(base, real) ? [base] : isInside(real, base) ? [real] : []));
  return [...whole, ...reached];
}

/** The directory that the path leads to, if there is one. */
function canonical(path: string): string | undefined {
  try {
    const real = nameFromBytes(realpathSync.native(fsName(path), { encoding: "buffer" }));
    return statSync(fsName(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

/** Scheme, an authority that may be there, and the path. */
const FILE_URI = /^file:(?:\/\/(?<host>[^/?#]*))?(?<path>\/[^?#]*)$/i;
const ESCAPE = /%([0-9a-f]{2})/gi;

/** The absolute path, names as the scope holds them; `undefined` for what is not the URI of a local file. */
export function parseFileUri(uri: string): string | undefined {
  const { host = "", path } = FILE_URI.exec(uri)?.groups ?? {};
  if (path === undefined || path.startsWith("//") || !uri.isWellFormed()) return undefined;
  if (host !== "" && host.toLowerCase() !== "localhost") return undefined;
  if (/%(?![0-9a-f]{2})|%2f|%00|\0/i.test(path)) return undefined;
  const decoded = nameFromBytes(decode(path));
  if (decoded.split("/").some((name) => name === "." || name === "..")) return undefined;
  if (process.platform !== "win32") return decoded;
  return /^\/[a-z]:(?:\/|$)/i.test(decoded) && !decoded.includes("\\") ? decoded.slice(1) : undefined;
}

function decode(path: string): Buffer {
  const parts: Buffer[] = [];
  let end = 0;
  for (const found of path.matchAll(ESCAPE)) {
    parts.push(Buffer.from(path.slice(end, found.index)), Buffer.from(found[1] ?? "", "hex"));
    end = found.index + found[0].length;
  }
  return Buffer.concat([...parts, Buffer.from(path.slice(end))]);
}
