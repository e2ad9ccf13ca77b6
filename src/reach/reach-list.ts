/**
 * A list of hosts that a program or a pack may reach: `host:port`, `host`, `*.suffix`, `*.suffix:port`, an address, an address
 * with a port. Without a port every port of that host is meant. Pure; whoever asks has taken the host out of an authority once.
 *
 * Invariant: what is not listed is not reached. A suffix stands for names below it and never for the name itself, an address
 * is no name, and nothing is resolved here.
 *
 * Usual mistake: to compare texts. `EXAMPLE.com`, `example.com.` and `bücher.example` have one spelling each, which entries
 * are brought into; `reaches` folds what it is asked for in the same way.
 */
import { domainToASCII } from "node:url";
import { Failure } from "../base/index.ts";
import { isLabel } from "./authority.ts";
import { addressDigits, isNeverDialled } from "./never-dialled.ts";

export interface ReachEntry {
  readonly kind: "name" | "suffix" | "address";
  /** Lower case, without a dot at its end; of a suffix without the `*`; an address without brackets, in its shortest form. */
  readonly host: string;
  /** Absent: every port. */
  readonly port?: number | undefined;
}

export interface ReachList {
  readonly entries: readonly ReachEntry[];
  /** As the configuration says it, for people and for a broker, which parses it anew. */
  readonly texts: readonly string[];
}

/** A list is read by people, and is compared with every connection. */
const MAX_ENTRIES = 256;
const MAX_NAME_CHARS = 253;
const LAST_PORT = 65_535;

/** @throws Failure `invalid_input` that names the entry */
export function parseReach(entries: readonly string[]): ReachList {
  if (entries.length > MAX_ENTRIES)
    throw new Failure("invalid_input", `Cannot use the list of hosts: it has ${entries.length} entries`, {
      hint: `At most ${MAX_ENTRIES} are taken; one suffix (*.example.com) stands for many names.`,
    });
  return { entries: entries.map(parseEntry), texts: [...entries] };
}

/** @param host as it stands in an authority: a name or an address, with or without brackets */
export function reaches({ entries }: ReachList, host: string, port: number): boolean {
  const wanted = foldHost(host);
  return entries.some((entry) => (entry.port ?? port) === port && isMeant(entry, wanted));
}

/** Whether the list names this address itself, which a program may connect to without a broker. */
export function listsAddress({ entries }: ReachList, address: string, port: number): boolean {
  return entries.some(
    (entry) => entry.kind === "address" && entry.host === address && (entry.port === undefined || entry.port === port),
  );
}

/** What both lists reach and nothing else, as entries of a list. */
export function sharedReach(one: ReachList, other: ReachList): readonly string[] {
  const shared = one.entries.flatMap((entry) => other.entries.flatMap((its) => sharedEntry(entry, its)));
  return [...new Set(shared)];
}

function sharedEntry(one: ReachEntry, other: ReachEntry): readonly string[] {
  if (one.port !== undefined && other.port !== undefined && one.port !== other.port) return [];
  const narrower = isCovered(one, other) ? one : isCovered(other, one) ? other : undefined;
  if (!narrower) return [];
  const { kind, host } = narrower;
  const text = kind === "suffix" ? `*${host}` : host.includes(":") ? `[${host}]` : host;
  const port = one.port ?? other.port;
  return [port === undefined ? text : `${text}:${port}`];
}

/** Whether every host of the one is a host of the other. */
function isCovered(one: ReachEntry, { kind, host }: ReachEntry): boolean {
  return kind === "suffix" ? one.kind !== "address" && one.host.endsWith(host) : one.kind === kind && one.host === host;
}

function isMeant({ kind, host }: ReachEntry, wanted: string): boolean {
  return kind === "suffix" ? wanted.endsWith(host) && wanted.length > host.length : wanted === host;
}

/** The one spelling of a host: lower case, no brackets, no dot at its end. */
export function foldHost(host: string): string {
  const text = host.toLowerCase();
  if (text.startsWith("[") && text.endsWith("]")) return shortAddress(text.slice(1, -1)) ?? text;
  return text.endsWith(".") ? text.slice(0, -1) : text;
}

function parseEntry(entry: string): ReachEntry {
  const [, bracketed, open = "", digits] = /^(?:\[([^\]]*)\]|([^[\]:]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  if (bracketed === undefined && open === "") throw refused(entry, whyNoEntry(entry));
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && (port < 1 || port > LAST_PORT)) throw refused(entry, "its port is none");
  if (bracketed !== undefined) return { kind: "address", host: listedAddress(entry, shortAddress(bracketed)), port };
  if (/^[\d.]+$/.test(open)) return { kind: "address", host: listedAddress(entry, plainAddress(open)), port };
  if (!open.startsWith("*")) return { kind: "name", host: nameOf(entry, open), port };
  if (!open.startsWith("*.")) throw refused(entry, "a star stands for whole labels, as *.example.com");
  return { kind: "suffix", host: `.${nameOf(entry, open.slice(2))}`, port };
}

function whyNoEntry(entry: string): string {
  if (entry.includes("/") || entry.includes("@")) return "it is a URL, and a host with or without a port is meant";
  if ((entry.match(/:/g)?.length ?? 0) > 1) return "an IPv6 address stands in brackets, as [::1]:9000";
  return "it is no host with or without a port";
}

function nameOf(entry: string, text: string): string {
  const name = isPlainName(text) ? text : asciiName(text);
  const labels = (name.endsWith(".") ? name.slice(0, -1) : name).split(".");
  if (name.length > MAX_NAME_CHARS || !labels.every(isLabel)) throw refused(entry, "it is no name of a host");
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? ""))
    throw refused(entry, "an address is written as four numbers without zeros before them");
  return labels.join(".");
}

/** One that folding leaves as it is. Folding loads tables of the whole of Unicode, which a start would wait for. */
function isPlainName(text: string): boolean {
  return /^[a-z0-9._-]+$/.test(text) && !text.includes("xn--");
}

/** What is no name any more after folding holds a sign that some parser takes for the end of the host. */
function asciiName(text: string): string {
  return /[\s/\\?#@%*<>^|]|\p{Cc}/u.test(text) ? "" : domainToASCII(text.normalize("NFC"));
}

/** Four numbers as everybody writes them; every other form means something else to some program. */
function plainAddress(text: string): string | undefined {
  const parts = text.split(".");
  const isPlain = parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
  return isPlain ? text : undefined;
}

/** The shortest form of an IPv6 address; `undefined` for anything else, and for an IPv4 address in its clothes. */
function shortAddress(text: string): string | undefined {
  if (!/^[0-9a-f:.]+$/i.test(text) || !text.includes(":")) return undefined;
  try {
    return new URL(`http://[${text}]/`).hostname.slice(1, -1);
  } catch {
    return undefined;
  }
}

/** They lead to any service of this machine, or to an IPv4 address by another name. */
const NEVER = /^(?:0\.0\.0\.0|::|::ffff:[0-9a-f:]+)$/;

function listedAddress(entry: string, address: string | undefined): string {
  if (address === undefined) throw refused(entry, "it is no address in its usual form");
  if (NEVER.test(address) || isNeverDialled(addressDigits(address)))
    throw refused(entry, "this address is never reached");
  return address;
}

function refused(entry: string, why: string): Failure {
  return new Failure("invalid_input", `Cannot reach ${JSON.stringify(entry.slice(0, 100))}: ${why}`, {
    hint: "Write host:port, host, *.suffix, *.suffix:port, or an address such as 127.0.0.1:9000 or [::1]:9000.",
  });
}
