/**
 * What a call touches: a path, a command line, a URL, a network address, a record of a store, an object of a bucket. A
 * tool says it of every call, and the decision, the order, the record and the exact rules are made on it.
 *
 * Whatever is neither a file nor a command has a single canonical text, its subject, and rules are matched against that
 * text and nothing else, so that no second spelling of the same thing escapes a rule.
 */
import { Failure, sha256 } from "../base/index.ts";

/** `metadata`: that it is there, its size and times. */
export type TargetMode = "metadata" | "read" | "write" | "remove";

/** A file or directory. A target without a kind is one. */
export interface PathTarget {
  readonly kind?: "path";
  readonly path: string;
  readonly mode: TargetMode;
  /** The tool goes from there to everything below by itself, as a search does. */
  readonly deep?: boolean;
}

export interface CommandTarget {
  readonly kind: "command";
  /** The command line, or the name of a declared command with its values. */
  readonly line: string;
  /** Programs that the line would run, as lines of their own: rules that deny or ask are held against these too. */
  readonly runs?: readonly string[] | undefined;
}

/** What one concrete call would touch; the policy and the order of calls are decided on it. */
export type Target =
  | PathTarget
  | CommandTarget
  /** @property method `GET` and `HEAD` fetch */
  | { readonly kind: "url"; readonly url: string; readonly method: string }
  | { readonly kind: "host"; readonly host: string; readonly port: number }
  /** @property key names with slashes between them; absent for the whole store */
  | { readonly kind: "record"; readonly store: string; readonly key?: string; readonly mode: TargetMode }
  /**
   * An object of a store: of S3, of a cluster (`CONTEXT/namespace/kind/name`).
   * @property bucket absent for the whole store @property key absent for the whole bucket
   * @property deep the call is about everything below the key
   */
  | {
      readonly kind: "object";
      readonly alias: string;
      readonly bucket?: string;
      readonly key?: string;
      readonly deep?: boolean;
      readonly mode: TargetMode;
    };

/** Where a path lies, as rules are matched against it. */
export interface TargetPlace {
  /** Below the root that holds it; absent when it lies in none. */
  readonly rel?: string | undefined;
  readonly absolute?: string | undefined;
  /** The directory of that root. */
  readonly root?: string | undefined;
  /** A directory that goes with all that is in it. */
  readonly isTree?: boolean | undefined;
}

export type PlacedTarget = (PathTarget & TargetPlace) | Exclude<Target, PathTarget>;

/** The part of a target that names it, without what is done to it. */
export type Subject =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "host"; readonly host: string; readonly port: number }
  | { readonly kind: "record"; readonly store: string; readonly key?: string }
  | {
      readonly kind: "object";
      readonly alias: string;
      readonly bucket?: string;
      readonly key?: string;
      readonly deep?: boolean;
    };

export function isPath<T extends { readonly kind?: string }>(target: T): target is Extract<T, { kind?: "path" }> {
  return target.kind === undefined || target.kind === "path";
}

/** The paths among the targets. */
export function pathsOf(targets: readonly Target[] | "all"): readonly string[] | "all" {
  if (targets === "all") return targets;
  return (targets.every(isPath) ? targets : targets.filter(isPath)).map(({ path }) => path);
}

const NO_NAMES: readonly string[] = [];

/** The other targets, as people and the record name them: `GET https://docs.example/a`, `write memory/notes/plan`. */
export function namesOf(targets: readonly Target[] | "all"): readonly string[] {
  if (targets === "all" || targets.every(isPath)) return NO_NAMES;
  return targets.flatMap((target) => (isPath(target) ? [] : nameOf(target)));
}

function nameOf(target: Exclude<Target, PathTarget>): string {
  switch (target.kind) {
    case "command":
      return target.line;
    case "url":
      return `${target.method.toUpperCase()} ${canonicalSubject(target)}${digestOfQuery(target.url)}`;
    case "host":
      return canonicalSubject(target);
    case "record":
      return `${target.mode} ${target.store}/${canonicalSubject(target)}`;
    case "object":
      return `${target.mode} ${canonicalSubject(target)}`;
  }
}

/** What a query sent can be proven later, and is not shown: it may hold a secret. */
function digestOfQuery(url: string): string {
  const { query } = parseUrl(url);
  return query === "" ? "" : ` ?sha256:${sha256(query).slice(0, 12)}`;
}

/**
 * The key by which two calls are told to touch the same thing: names with slashes between them, so that what lies below
 * the other is found by its beginning. @param pathName gives the absolute name of a path
 */
export function orderKey(target: Target, pathName: (path: string) => string): string {
  if (isPath(target)) return pathName(target.path);
  if (target.kind === "command") return `command:${target.line}`;
  const store = target.kind === "record" ? `${target.store}/` : "";
  return `${target.kind}:${store}${canonicalSubject(target)}`.replace(/\/+$/, "");
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: "80", https: "443" };

/**
 * `https://host[:port]/path`, `host:port`, `namespace/path` or `ALIAS/bucket/key`. The port is left out where it is the
 * scheme's own, and a URL has neither its query nor its fragment.
 *
 * @throws Failure `invalid_input` for a text that names nothing, or that could be read in two ways
 */
export function canonicalSubject(subject: Subject): string {
  switch (subject.kind) {
    case "url": {
      const { scheme, host, port, path } = parseUrl(subject.url);
      return `${scheme}://${host}${port === DEFAULT_PORTS[scheme] ? "" : `:${port}`}${path}`;
    }
    case "host":
      return `${canonicalHost(subject.host)}:${checkedPort(subject.port)}`;
    case "record":
      return canonicalKey(subject.key ?? "", RECORDS[subject.store] ?? "record");
    case "object":
      return canonicalKey(objectNames(subject).join("/"), "object");
  }
}

/** What callers know the records of a store as. */
const RECORDS: Readonly<Record<string, string>> = { memory: "namespace", sessions: "session" };

function objectNames({ alias, bucket, key }: Extract<Subject, { kind: "object" }>): readonly string[] {
  return [alias, ...(bucket === undefined ? [] : [bucket]), ...(key ? [key] : [])];
}

export interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly port: string;
  /** Begins with a slash; only what must be is percent-encoded. */
  readonly path: string;
  /** Without its question mark, as it is sent. */
  readonly query: string;
}

/**
 * @throws Failure `invalid_input` for another scheme than http and https, for user names and passwords, and for a path
 *   that servers read in two ways
 */
export function parseUrl(text: string): UrlParts {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const scheme = url?.protocol.slice(0, -1) ?? "";
  if (!url || !Object.hasOwn(DEFAULT_PORTS, scheme)) throw refused("URL", text, "it must be an http or https URL");
  if (url.username !== "" || url.password !== "")
    throw refused("URL", "https://...@...", "it has a user name or a password in it");
  return {
    scheme,
    host: canonicalHost(url.hostname),
    port: url.port === "" ? (DEFAULT_PORTS[scheme] ?? "") : url.port,
    path: canonicalPath(url.pathname),
    query: url.search.slice(1),
  };
}

/**
 * Lower case, ASCII, without the dot at its end; an IPv6 address in brackets, or as the IPv4 address that it leads to.
 * @throws Failure `invalid_input`
 */
export function canonicalHost(host: string): string {
  const bare = host.replace(/\.$/, "");
  const isAddress = bare.includes(":") && !bare.startsWith("[");
  const text = `http://${isAddress ? `[${bare}]` : bare}/`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // What the parser took for anything but a host would name another one.
  if (!url || url.hostname === "" || url.href !== `http://${url.hostname}/`)
    throw refused("host", host, "it is no host name");
  const name = url.hostname.replace(/\.$/, "");
  return name.startsWith("[") ? (readIpv4In(name) ?? name) : name;
}

/** IPv4-mapped and IPv4-compatible addresses, and those of NAT64 (RFC 6052): a connection to them goes to the IPv4 address. */
const IPV4_PREFIXES: ReadonlySet<string> = new Set(["0:0:0:0:0:ffff", "0:0:0:0:0:0", "64:ff9b:0:0:0:0"]);

/** @param host an IPv6 address as the URL parser writes it */
function readIpv4In(host: string): string | undefined {
  const [before, after] = host.slice(1, -1).split("::");
  const [first, last] = [before, after].map((text) => (text ? text.split(":") : [])) as [string[], string[]];
  const groups = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => "0"), ...last];
  const prefix = groups.slice(0, 6).join(":");
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16));
  // `::` and `::1` are addresses of IPv6 itself.
  if (!IPV4_PREFIXES.has(prefix) || (prefix === "0:0:0:0:0:0" && high === 0)) return undefined;
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
}

function checkedPort(port: number): number {
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw refused("port", String(port), "it must be from 1 to 65535");
}

/** What stands for itself in a path that the URL parser has written; servers take its percent-encoding for the same. */
const PLAIN_SIGNS = /[\w.~!$&'()*+,;=:@|[\]-]/;

/** @throws Failure `invalid_input` */
function canonicalPath(path: string): string {
  if (/%(?![0-9a-f]{2})/i.test(path) || isReadTwoWays(path))
    throw refused("URL path", path, "it could be read in two ways");
  return withoutNeedless(path);
}

/** Percent-encodings that say nothing are decoded, the others are in upper case. */
function withoutNeedless(path: string): string {
  return path.replaceAll(/%([0-9a-f]{2})/gi, (encoded, hex: string) => {
    const sign = String.fromCharCode(Number.parseInt(hex, 16));
    return PLAIN_SIGNS.test(sign) ? sign : encoded.toUpperCase();
  });
}

/**
 * Whether servers differ about which path this is: some decode slashes and backslashes, some decode twice, some end at
 * a control character or leave it out, and some leave out what stands behind a semicolon before they resolve dots.
 */
export function isReadTwoWays(path: string): boolean {
  return /%(?:25)*(?:2f|5c)|%(?:[01][0-9a-f]|7f)|%(?:25)+2e|(?:^|\/)\.{1,2}(?:;|\/|$)/i.test(withoutNeedless(path));
}

function canonicalKey(key: string, kind: string): string {
  const names = key.split("/");
  if (key !== "" && names.some((name) => name === "" || name === "." || name === ".." || name.includes("\0")))
    throw refused(kind, key, "it has an empty name, `.` or `..` in it");
  return key;
}

function refused(kind: string, text: string, why: string): Failure {
  return new Failure("invalid_input", `Cannot use the ${kind} ${JSON.stringify(text.slice(0, 300))}: ${why}`);
}
