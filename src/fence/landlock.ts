/**
 * Landlock: what this process, and all that comes after it, may do with files and TCP, held by the kernel. Rules only
 * allow; what is not named is refused, for ever.
 *
 * Not governed by it: stat, chmod, chown, extended attributes, times, hard links that exist already, and descriptors that
 * are open. https://docs.kernel.org/userspace-api/landlock.html
 */
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { openSystemCalls, type SystemCalls } from "../sys/index.ts";
import { takesFilters } from "./seccomp.ts";

/**
 * read: files and directories. change: read, and everything that changes them. run: read and execute. work: change and
 * execute. use: read and write one file that exists.
 */
export type FenceAccess = "read" | "change" | "run" | "work" | "use";

export interface FenceRule {
  readonly path: string;
  readonly access: FenceAccess;
  /** Without it the host works too: when it cannot be named, it is left out. */
  readonly optional?: boolean;
}

/**
 * Version 2 is the first that lets a file move from one directory into another, without which the host cannot work;
 * version 3 the first in which a file outside cannot be emptied.
 */
export const OLDEST_ABI = 3;
/** Later versions are used as far as this one. */
export const NEWEST_ABI = 7;

const CREATE_RULESET_VERSION = 1;
const RULE_PATH_BENEATH = 1;
const RULE_NET_PORT = 2;
const BIND_TCP = 1n;
/** The first version that governs TCP. */
export const FIRST_WITH_TCP = 4;
const FIRST_WITH_SIGNALS = 6;
const CREATE_RULESET_ERRATA = 2;
const OWN_THREADS_MENDED = 0b10;

const RIGHT = {
  execute: 1 << 0,
  writeFile: 1 << 1,
  readFile: 1 << 2,
  readDirectory: 1 << 3,
  removeDirectory: 1 << 4,
  removeFile: 1 << 5,
  makeCharacterDevice: 1 << 6,
  makeDirectory: 1 << 7,
  makeFile: 1 << 8,
  makeSocket: 1 << 9,
  makeFifo: 1 << 10,
  makeBlockDevice: 1 << 11,
  makeLink: 1 << 12,
  refer: 1 << 13,
  truncate: 1 << 14,
  ioctlDevice: 1 << 15,
} as const;

const OF_FILES = RIGHT.execute | RIGHT.writeFile | RIGHT.readFile | RIGHT.truncate | RIGHT.ioctlDevice;
const READ = RIGHT.readFile | RIGHT.readDirectory;
const CHANGE =
  READ |
  RIGHT.writeFile |
  RIGHT.removeDirectory |
  RIGHT.removeFile |
  RIGHT.makeDirectory |
  RIGHT.makeFile |
  RIGHT.makeLink |
  // To move or delete one that is there; seccomp refuses to bind a new one, and neither is ever opened.
  RIGHT.makeSocket |
  RIGHT.makeFifo |
  RIGHT.refer |
  RIGHT.truncate;
const RIGHTS: Readonly<Record<FenceAccess, number>> = {
  read: READ,
  run: READ | RIGHT.execute,
  work: CHANGE | RIGHT.execute,
  use: RIGHT.readFile | RIGHT.writeFile,
  change: CHANGE,
};

/**
 * What a ruleset of this version governs: struct landlock_ruleset_attr, as long as the version knows it.
 * @param hasNetwork TCP is left alone
 */
export function rulesetAttributes(abi: number, hasNetwork = false): BigUint64Array<ArrayBuffer> {
  const files = abi >= 5 ? 0xffffn : 0x7fffn;
  // TCP bind and connect; then abstract unix sockets and signals to processes outside.
  const fields = [files, ...(abi >= 4 ? [hasNetwork ? 0n : 0b11n] : []), ...(abi >= 6 ? [0b11n] : [])];
  return BigUint64Array.from(fields);
}

/** The rights of one rule, as far as the version knows them and the object can have them. */
export function rightsOf(access: FenceAccess, abi: number, isDirectory: boolean): number {
  const known = RIGHTS[access] & Number(rulesetAttributes(abi)[0]);
  return isDirectory ? known : known & OF_FILES;
}

/** What a fence is made of on this machine, asked before the way in, or why there is none: half a fence helps nobody. */
export function probeFence(): { readonly abi: number; readonly calls: SystemCalls } | { readonly reason: string } {
  if (process.platform !== "linux") return { reason: `there is no Landlock on ${process.platform}` };
  const calls = openSystemCalls();
  if (!calls) return { reason: "libc cannot be called on this machine" };
  const abi = probeLandlock(calls);
  if (abi === 0) return { reason: "this kernel offers no Landlock" };
  if (abi < OLDEST_ABI) return { reason: `the Landlock of this kernel is too old (ABI ${abi})` };
  return takesFilters(calls) ? { abi, calls } : { reason: "system calls cannot be filtered here (seccomp)" };
}

/** The version that the kernel offers; 0 when it has none, or it is switched off. */
export function probeLandlock({ call }: SystemCalls): number {
  const abi = call("landlock_create_ruleset", 0, 0, CREATE_RULESET_VERSION);
  return typeof abi === "number" ? abi : 0;
}

/**
 * Whether a thread that is inside may send signals to others of its own process that are not, or not yet: the first kernels that govern
 * signals refused that (erratum 2 of Landlock).
 */
export function reachesOwnThreads({ call }: SystemCalls, abi: number): boolean {
  if (abi < FIRST_WITH_SIGNALS) return true;
  const errata = call("landlock_create_ruleset", 0, 0, CREATE_RULESET_ERRATA);
  return typeof errata === "number" && (errata & OWN_THREADS_MENDED) !== 0;
}

/**
 * The ruleset as a descriptor. Rules for what does not exist are left out: nothing can be reached there.
 * @param bindsPort the one TCP port that may be bound, where TCP is governed
 * @throws Error that names the call and its error
 */
export function createRuleset(
  calls: SystemCalls,
  abi: number,
  rules: readonly FenceRule[],
  hasNetwork = false,
  bindsPort?: number,
): number {
  const attributes = rulesetAttributes(abi, hasNetwork);
  const ruleset = checked(
    "landlock_create_ruleset",
    calls.call("landlock_create_ruleset", attributes, attributes.byteLength, 0),
  );
  for (const rule of rules) addRule(calls, abi, ruleset, rule);
  if (bindsPort !== undefined && abi >= FIRST_WITH_TCP && !hasNetwork) addPortRule(calls, ruleset, bindsPort);
  return ruleset;
}

/** The calling thread alone is inside, and the runtime has others: they are brought in, or an execve follows. */
export function restrictSelf({ call }: SystemCalls, ruleset: number): void {
  checked("landlock_restrict_self", call("landlock_restrict_self", ruleset, 0));
}

function addRule({ call }: SystemCalls, abi: number, ruleset: number, { path, access, optional }: FenceRule): void {
  let fd: number;
  try {
    fd = openSync(path, O_PATH);
  } catch (thrown) {
    if (optional || (thrown as NodeJS.ErrnoException).code === "ENOENT") return;
    throw thrown;
  }
  try {
    const rights = rightsOf(access, abi, fstatSync(fd).isDirectory());
    // struct landlock_path_beneath_attr: 64 bits of rights, then the descriptor in 32.
    const attribute = BigUint64Array.of(BigInt(rights), BigInt(fd));
    checked(`landlock_add_rule for ${path}`, call("landlock_add_rule", ruleset, RULE_PATH_BENEATH, attribute, 0));
  } finally {
    closeSync(fd);
  }
}

/** The one port that may be bound; to connect stays refused. struct landlock_net_port_attr: rights, then the port. */
function addPortRule({ call }: SystemCalls, ruleset: number, port: number): void {
  const attribute = BigUint64Array.of(BIND_TCP, BigInt(port));
  checked(`landlock_add_rule for port ${port}`, call("landlock_add_rule", ruleset, RULE_NET_PORT, attribute, 0));
}

/** Names an object without opening it; Node has no name for it. */
const O_PATH = 0o10000000 | constants.O_RDONLY;

export function checked(what: string, result: number | string): number {
  if (typeof result === "number") return result;
  throw new Error(`${what}: ${result}`);
}
