/**
 * What a move, a copy or a delete takes along and what it would lose, in words for the proposal: what an undo would not
 * bring back, what a move to another mount cannot take along, and what a copy skips. Nothing is lost that was not said here.
 */
import { Failure, limits } from "../../base/index.ts";
import { holdsMount, quotable, showName } from "../../scope/index.ts";
import { formatBytes } from "../../text/index.ts";
import { isMark } from "../fingerprint.ts";
import { mountAbove } from "../inspect.ts";
import { lossesAt } from "../tree-copy/metadata.ts";
import { refusal, type Preparing, type ChangeTarget, type TreeMembers } from "./context.ts";
import { walkView } from "./look.ts";

/** What lies in a directory that is taken as one, or the size of a file. */
export interface TreeContents {
  readonly entries: number;
  readonly bytes: number;
  /** Paths below it of FIFOs, sockets and devices. */
  readonly special: readonly string[];
  /** Something in it belongs to another user. */
  readonly hasOthers: boolean;
  /** Every name in it, so that rules can decide about names. */
  readonly tree: TreeMembers;
  readonly size: { readonly size_before?: number };
}

/** Looks at what the target holds after the earlier changes of the set. */
export function contentsOf(ctx: Preparing, target: ChangeTarget): TreeContents {
  const { before } = target;
  const [below, shared, special]: [string[], string[], string[]] = [[], [], []];
  let [bytes, hasOthers] = [before.kind === "file" ? before.size : 0, false];
  if (before.kind === "directory") {
    const me = BigInt(process.getuid?.() ?? 0);
    for (const { below: path, stat, ...entry } of walkView(ctx, target)) {
      bytes += entry.bytes;
      below.push(path);
      if (!stat) continue;
      if (stat.isFile() && stat.nlink > 1n) shared.push(`${stat.dev}:${stat.ino}`);
      if (!stat.isFile() && !stat.isDirectory() && !stat.isSymbolicLink()) special.push(path);
      if (stat.uid !== me) hasOthers = true;
    }
  }
  const hasSize = before.kind === "file" || before.kind === "directory";
  const size = hasSize ? { size_before: bytes } : {};
  return { entries: below.length, bytes, special, hasOthers, tree: { below, shared }, size };
}

/** What is removed or replaced is kept by a rename or a second name; to another mount, only by a copy. */
export function keepingLosses(ctx: Preparing, target: ChangeTarget, inside: TreeContents): string[] {
  const { before, origin } = target;
  if (!origin || before.kind === "absent" || ctx.undoMount === undefined) return [];
  if (mountAbove(ctx.scope, origin) === ctx.undoMount) return [];
  if (inside.bytes > limits.MAX_KEPT_COPY_BYTES)
    return [notKept(`more than ${formatBytes(limits.MAX_KEPT_COPY_BYTES)} (it has ${formatBytes(inside.bytes)})`)];
  if (before.kind === "other") return [notKept("a FIFO, socket or device")];
  if (before.kind === "file" && isMark(before.hash)) return [notKept("a file that may not be read")];
  return inside.special.length === 0
    ? []
    : [`${SPECIAL} in it are not kept, and an undo does not bring them back: ${named(inside.special)}.`];
}

function notKept(what: string): string {
  return `It lies on another mount than the state folder, where ${what} is not kept: it cannot be brought back.`;
}

/** What a move loses that a rename cannot make. @throws Failure `denied` for what cannot be copied */
export function crossingLosses(
  ctx: Preparing,
  source: ChangeTarget,
  target: ChangeTarget,
  inside: TreeContents,
): string[] {
  const from = source.origin ?? source.at;
  const [here, there] = [mountAbove(ctx.scope, from), mountAbove(ctx.scope, target.at)];
  if (here === there) return [];
  const { before } = source;
  const { special, hasOthers } = inside;
  if (before.kind === "other" || special.length > 0) {
    const what = special.length === 0 ? "it is a FIFO, socket or device" : `it holds ${named(special)}`;
    const shown = quotable(ctx.scope.show(source.at));
    throw new Failure("denied", `Cannot move "${shown}" to another mount: ${what}, which cannot be copied`);
  }
  const losses = ["It goes to another mount: it is copied there, and then removed here."];
  if (deviceOf(here) !== deviceOf(there))
    losses.push("What the file system there cannot hold of owner, mode and attributes is lost.");
  if (before.kind === "file" && before.links > 1)
    losses.push(`${before.links} names share this file; the one that is moved becomes a file of its own.`);
  if (hasOthers && process.getuid?.() !== 0)
    losses.push("Some of what is in it belongs to other users, and would become yours.");
  return before.kind === "file" ? [...losses, ...lossesAt(ctx.scope, from)] : losses;
}

function deviceOf(mount: string | undefined): string | undefined {
  return mount?.split(":")[0];
}

/** What a copy skips, because reading a FIFO is not copying it, and what it takes from the file that it replaces. */
export function copyLosses(ctx: Preparing, source: ChangeTarget, target: ChangeTarget, inside: TreeContents): string[] {
  const { special } = inside;
  const skipped = special.length === 0 ? [] : [`${SPECIAL} in it are left out: ${named(special)}.`];
  const isReplaced = source.before.kind === "file" && target.before.kind === "file";
  return isReplaced ? [...skipped, ...lossesAt(ctx.scope, target.at)] : skipped;
}

const SPECIAL = "FIFOs, sockets and devices";
const MAX_NAMED = 5;

function named(paths: readonly string[]): string {
  const names = paths.slice(0, MAX_NAMED).map((path) => `"${quotable(showName(path))}"`);
  const left = paths.length - names.length;
  return names.join(", ") + (left > 0 ? ` and ${left} more` : "");
}

/** A mount would move along into the history, and be emptied when the history drops the tree. */
export function refuseMounted(ctx: Preparing, { before, origin }: ChangeTarget, path: string, verb: string): void {
  if (before.kind !== "directory" || !origin || !holdsMount(ctx.scope.absolute(origin))) return;
  throw refusal("denied", verb, path, "something is mounted there or in it", {
    hint: "What is mounted would go with it. The person who runs this host can unmount it first.",
  });
}
