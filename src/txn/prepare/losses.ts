/**
 * What a move, a copy or a delete would lose, in words for the proposal: what an undo would not bring back, what a move to
 * another mount cannot take along, and what a copy leaves out. Nothing is lost that was not said here.
 */
import { Failure, limits } from "../../base/index.ts";
import { holdsMount, quotable, showName } from "../../scope/index.ts";
import { formatBytes } from "../../text/index.ts";
import { lossesAt } from "../tree-copy/metadata.ts";
import { mountAbove } from "../inspect.ts";
import type { Sealing } from "./context.ts";
import { isMark } from "../fingerprint.ts";
import type { Target } from "./target.ts";

/** What lies in a directory, or the size of a file. */
export interface TreeSize {
  readonly entries: number;
  readonly bytes: number;
  /** Paths below it of FIFOs, sockets and devices. */
  readonly special: readonly string[];
  /** Something in it belongs to another user. */
  readonly hasOthers: boolean;
}

/** Of what is removed or replaced: a rename or a second name keeps it, and to another mount only a copy. */
export function keepingLosses(target: Target, size: TreeSize, ctx: Sealing): string[] {
  const { before, origin } = target;
  if (!origin || before.kind === "absent" || ctx.undoMount === undefined) return [];
  if (mountAbove(ctx.scope, origin) === ctx.undoMount) return [];
  if (size.bytes > limits.MAX_KEPT_COPY_BYTES)
    return [
      notKept(`more than ${formatBytes(limits.MAX_KEPT_COPY_BYTES)} (it has ${formatBytes(size.bytes)})`),
    ];
  if (before.kind === "other") return [notKept("a FIFO, socket or device")];
  if (before.kind === "file" && isMark(before.hash)) return [notKept("a file that may not be read")];
  return size.special.length === 0
    ? []
    : [`${SPECIAL} in it are not kept, and an undo does not bring them back: ${named(size.special)}.`];
}

function notKept(what: string): string {
  return `It lies on another mount than the state folder, where ${what} is not kept: it cannot be brought back.`;
}

/** Of a move that a rename cannot make. @throws Failure `denied` for what cannot be copied */
export function crossingLosses(source: Target, target: Target, size: TreeSize, ctx: Sealing): string[] {
  const from = source.origin ?? source.at;
  const [here, there] = [mountAbove(ctx.scope, from), mountAbove(ctx.scope, target.at)];
  if (here === there) return [];
  refuseSpecial(source, size, ctx);
  const { before } = source;
  const losses = ["It goes to another mount: it is copied there, and then removed here."];
  if (deviceOf(here) !== deviceOf(there))
    losses.push("What the file system there cannot hold of owner, mode and attributes is lost.");
  if (before.kind === "file" && before.links > 1)
    losses.push(`${before.links} names share this file; the one that is moved becomes a file of its own.`);
  if (size.hasOthers && process.getuid?.() !== 0)
    losses.push("Some of what is in it belongs to other users, and would become yours.");
  return before.kind === "file" ? [...losses, ...lossesAt(ctx.scope, from)] : losses;
}

function deviceOf(mount: string | undefined): string | undefined {
  return mount?.split(":")[0];
}

function refuseSpecial({ before, at }: Target, { special }: TreeSize, ctx: Sealing): void {
  if (before.kind !== "other" && special.length === 0) return;
  const what = special.length === 0 ? "it is a FIFO, socket or device" : `it holds ${named(special)}`;
  throw new Failure(
    "denied",
    `Cannot move "${quotable(ctx.scope.show(at))}" to another mount: ${what}, which cannot be copied`,
  );
}

/** Of a copy: reading a FIFO is not copying it. */
export function copyLosses(source: Target, target: Target, size: TreeSize, ctx: Sealing): string[] {
  const leftOut = size.special.length === 0 ? [] : [`${SPECIAL} in it are left out: ${named(size.special)}.`];
  const isReplaced = source.before.kind === "file" && target.before.kind === "file";
  return isReplaced ? [...leftOut, ...lossesAt(ctx.scope, target.at)] : leftOut;
}

const SPECIAL = "FIFOs, sockets and devices";
const MAX_NAMED = 5;

function named(paths: readonly string[]): string {
  const names = paths.slice(0, MAX_NAMED).map((path) => `"${quotable(showName(path))}"`);
  const left = paths.length - names.length;
  return names.join(", ") + (left > 0 ? ` and ${left} more` : "");
}

/** It would go along to where it is kept, and be emptied there when that is dropped. */
export function refuseMounted(target: Target, ctx: Sealing, path: string, verb: string): void {
  const { before, origin } = target;
  if (before.kind !== "directory" || !origin || !holdsMount(ctx.scope.absolute(origin))) return;
  throw new Failure("denied", `Cannot ${verb} "${quotable(path)}": something is mounted there or in it`, {
    hint: "What is mounted would go with it. The person who runs this host can unmount it first.",
  });
}
