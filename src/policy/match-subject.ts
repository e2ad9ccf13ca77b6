/**
 * The pattern of a rule beside the subject of a call. A pattern that begins with a scheme is one of URLs, one that ends with a
 * port one of hosts, and every other one is a glob of names with slashes between them.
 *
 * Deny and ask hold for the subdomains of a host that they name, for every port when they name none, for everything below a
 * path and without regard to case. Allow means exactly what it says. A host is a name or `*.` with a name behind it: a pattern
 * such as `https://example.com*`, which example.com.attacker.net would match, cannot be loaded.
 */
import { compilePattern } from "../pattern/index.ts";
import { canonicalHost, canonicalSubject, parseUrl, type Subject } from "./target.ts";

const URL_PATTERN = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(\/[^]*)?$/i;
const HOST_PATTERN = /^([^/\s]+):(\d{1,5})$/;

/** Why a rule with this pattern cannot be loaded. */
export function findPatternProblem(pattern: string): string | undefined {
  const [, scheme, authority] = URL_PATTERN.exec(pattern) ?? [];
  if (scheme !== undefined && authority !== undefined) {
    if (!/^https?$/i.test(scheme)) return "a URL in a rule begins with http:// or https://";
    if (authority.includes("@")) return "a URL in a rule has no user name";
    return findHostProblem(withoutPort(authority));
  }
  const [, host = ""] = HOST_PATTERN.exec(pattern) ?? [];
  return host.includes(".") ? findHostProblem(host) : undefined;
}

function findHostProblem(host: string): string | undefined {
  const name = host.replace(/^\*\./, "");
  if (!/[*?[\]{}()!+@|\\]/.test(name.replace(/^\[[\da-f:.]+\]$/i, "")) && isHost(name)) return undefined;
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
  const url = createUrlMatch(pattern, isStrict);
  const host = createHostMatch(pattern, isStrict);
  const names = createNamesMatch(pattern, isStrict);
  return (subject) => {
    if (subject.kind === "url") return url(subject.url);
    if (subject.kind === "host") return host(subject.host, subject.port);
    return names(canonicalSubject(subject));
  };
}

function createUrlMatch(pattern: string, isStrict: boolean): (url: string) => boolean {
  const [, scheme, authority, path = "/"] = URL_PATTERN.exec(pattern) ?? [];
  if (scheme === undefined || authority === undefined) return () => isEverything(pattern);
  const isHostMeant = createNameMatch(withoutPort(authority), isStrict);
  const port = /:(\d+)$/.exec(authority.replace(/^\[.*\]/, ""))?.[1];
  const isPathMeant = createNamesMatch(path.slice(1), isStrict);
  return (text) => {
    const url = parseUrl(text);
    if (url.scheme !== scheme.toLowerCase() || !isHostMeant(url.host)) return false;
    const isPortMeant =
      port === undefined ? isStrict || url.port === (url.scheme === "https" ? "443" : "80") : url.port === port;
    // Servers read `//a` and `/a/` as `/a`: what is denied there stays denied.
    return (
      isPortMeant &&
      isPathMeant(isStrict ? url.path.replaceAll(/\/+/g, "/").replace(/^\/|\/$/g, "") : url.path.slice(1))
    );
  };
}

function createHostMatch(pattern: string, isStrict: boolean): (host: string, port: number) => boolean {
  const [, named, port] = HOST_PATTERN.exec(pattern) ?? [];
  if (named === undefined && (!isStrict || isEverything(pattern))) return () => isEverything(pattern);
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
    if (names === "") return isEverything(bare);
    return isStrict ? glob.matchesAtOrAbove(names) : glob.matches(names);
  };
}

function isEverything(pattern: string): boolean {
  return pattern === "**";
}

function withoutPort(authority: string): string {
  return authority.replace(/:\d+$/, "");
}
