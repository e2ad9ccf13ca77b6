/**
 * The pattern of a rule beside the subject of a call. A pattern that begins with a scheme is one of URLs, one that ends
 * with a port one of hosts, and every other one is a glob of names with slashes between them.
 *
 * Deny and ask hold for the subdomains of a host that they name and for its URLs, for every port when they name none,
 * for everything below a path, for a whole store or bucket in which they mean something, and without regard to case.
 * Allow means exactly what it says. A host is a name or `*.` with a name behind it: a pattern such as
 * `https://example.com*`, which example.com.attacker.net would match, cannot be loaded.
 */
import { compilePattern, foldText } from "../pattern/index.ts";
import { canonicalHost, canonicalSubject, isReadTwoWays, parseUrl, type Subject } from "./target.ts";

const URL_PATTERN = /^([^\s/]*):\/\/([^/]*)(\/[^]*)?$/;
const HOST_PATTERN = /^([^/\s]+):(\d{1,5})$/;
const GLOB_SIGN = /[\\*?[\]{}()!+@|]/;

/** Why a rule with this pattern cannot be loaded. */
export function findPatternProblem(pattern: string): string | undefined {
  const [, scheme, authority, path = "/"] = URL_PATTERN.exec(pattern) ?? [];
  if (scheme !== undefined && authority !== undefined) {
    if (!/^https?$/i.test(scheme)) return "a URL in a rule begins with http:// or https://";
    if (authority.includes("@")) return "a URL in a rule has no user name";
    const port = portOf(authority) ?? 1;
    if (port === 0 || port > 65_535) return "there is no such port";
    if (isReadTwoWays(path)) return "its path could be read in two ways, and a URL with such a path is refused";
    return findHostProblem(withoutPort(authority));
  }
  const [, host] = HOST_PATTERN.exec(pattern) ?? [];
  return host === undefined ? undefined : findHostProblem(host);
}

function findHostProblem(host: string): string | undefined {
  const name = host.replace(/^\*\./, "");
  if (!GLOB_SIGN.test(name.replace(/^\[[\da-f:.]+\]$/i, "")) && isHost(name)) return undefined;
  return 'its host must be a whole name, or "*." and a name: anything else would match hosts of other people';
}

function isHost(name: string): boolean {
  try {
    return canonicalHost(name) !== "";
  } catch {
    return false;
  }
}

/** What an example of a rule names, when it is a URL or a host with its port. */
export function readSubject(text: string): Subject | undefined {
  if (URL_PATTERN.test(text)) return { kind: "url", url: text };
  const [, host, port] = HOST_PATTERN.exec(text) ?? [];
  return host === undefined ? undefined : { kind: "host", host, port: Number(port) };
}

/** @param isStrict for deny and ask */
export function createSubjectMatch(pattern: string, isStrict: boolean): (subject: Subject) => boolean {
  const host = createHostMatch(pattern, isStrict);
  const url = createUrlMatch(pattern, isStrict, host);
  const names = createNamesMatch(pattern, isStrict);
  const isWithin = createWithinMatch(pattern);
  return (subject) => {
    if (subject.kind === "url") return url(subject.url);
    if (subject.kind === "host") return host(subject.host, subject.port);
    const text = canonicalSubject(subject);
    const isWhole = !subject.key || (subject.kind === "object" && subject.deep === true);
    return names(text) || (isStrict && isWhole && isWithin(text));
  };
}

type HostMatch = (host: string, port: number) => boolean;

function createUrlMatch(pattern: string, isStrict: boolean, isHostOfRule: HostMatch): (url: string) => boolean {
  const [, scheme, authority, path = "/"] = URL_PATTERN.exec(pattern) ?? [];
  if (scheme === undefined || authority === undefined) {
    if (!isStrict) return () => isEverything(pattern, isStrict);
    return (text) => {
      const { host, port } = parseUrl(text);
      return isHostOfRule(host, Number(port));
    };
  }
  const isHostMeant = createNameMatch(withoutPort(authority), isStrict);
  const port = portOf(authority);
  const names = readablePattern(path);
  const isPathMeant = createNamesMatch((isStrict ? names.replaceAll(/\/+/g, "/") : names).slice(1), isStrict);
  return (text) => {
    const url = parseUrl(text);
    if (url.scheme !== scheme.toLowerCase() || !isHostMeant(url.host)) return false;
    const isPortMeant =
      port === undefined ? isStrict || url.port === (url.scheme === "https" ? "443" : "80") : Number(url.port) === port;
    if (!isPortMeant) return false;
    const asked = readablePath(url.path);
    return isStrict ? spellingsOf(asked).some(isPathMeant) : isPathMeant(asked.slice(1));
  };
}

/** Servers read `//a`, `/a/` and `/a;b` as `/a`: what is denied there stays denied. */
function spellingsOf(path: string): readonly string[] {
  return [path, path.replaceAll(/;[^/]*/g, "")].map((one) => one.replaceAll(/\/+/g, "/").replace(/^\/|\/$/g, ""));
}

const ENCODED =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}|%[\da-f]{2}/gi;

/** Characters in place of their encodings, so that a path and a pattern are compared in one spelling. */
function readablePath(path: string, written: (text: string) => string = (text) => text): string {
  return path.replaceAll(ENCODED, (encoded) => {
    try {
      return written(decodeURIComponent(encoded));
    } catch {
      return encoded.toUpperCase();
    }
  });
}

/** What is encoded in a pattern is no sign of it. */
function readablePattern(pattern: string): string {
  return readablePath(pattern, (text) => (GLOB_SIGN.test(text) ? `\\${text}` : text));
}

function createHostMatch(pattern: string, isStrict: boolean): HostMatch {
  if (isEverything(pattern, isStrict)) return () => true;
  const [, named, port] = HOST_PATTERN.exec(pattern) ?? [];
  if (named === undefined && !isStrict) return () => false;
  const isMeant = createNameMatch(named ?? pattern, isStrict);
  return (host, to) => isMeant(canonicalHost(host)) && (port === undefined || Number(port) === to);
}

function createNameMatch(pattern: string, isStrict: boolean): (host: string) => boolean {
  const bare = pattern.replace(/^\*\./, "");
  const name = isHost(bare) ? canonicalHost(bare) : undefined;
  if (bare !== pattern) return (host) => name !== undefined && host.endsWith(`.${name}`);
  return (host) => name !== undefined && (host === name || (isStrict && host.endsWith(`.${name}`)));
}

function createNamesMatch(pattern: string, isStrict: boolean): (names: string) => boolean {
  const bare = pattern.replace(/(?<=[^/])\/+$/, "");
  if (bare === "") return (names) => isStrict || names === "";
  const glob = compilePattern(bare, { dot: true, ignoreCase: isStrict, whenTooLong: isStrict });
  return (names) => {
    if (names === "") return isEverything(bare, isStrict);
    return isStrict ? glob.matchesAtOrAbove(names) : glob.matches(names);
  };
}

/** Whether the pattern could mean something in a store or bucket as a whole; no key begins with a slash. */
function createWithinMatch(pattern: string): (whole: string) => boolean {
  if (pattern.startsWith("/") || URL_PATTERN.test(pattern)) return () => false;
  const sign = pattern.search(GLOB_SIGN);
  const fixed = foldText(sign < 0 ? pattern : pattern.slice(0, sign));
  return (whole) => {
    const start = whole === "" ? "" : `${foldText(whole)}/`;
    return fixed.startsWith(start) || (sign >= 0 && start.startsWith(fixed));
  };
}

/** A single star is one name for allow, and a URL or a host is none; deny and ask hold for whatever stars alone could mean. */
function isEverything(pattern: string, isStrict: boolean): boolean {
  return isStrict ? /^\*[*/]*$/.test(pattern) : pattern === "**";
}

function portOf(authority: string): number | undefined {
  const port = /:(\d+)$/.exec(authority)?.[1];
  return port === undefined ? undefined : Number(port);
}

function withoutPort(authority: string): string {
  return authority.replace(/:\d+$/, "");
}
