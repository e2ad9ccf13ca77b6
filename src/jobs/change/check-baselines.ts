/**
 * Whether what is changed is what the caller has seen: by the hash that it gave, or by those of what this process has
 * shown it. An mtime that moved under the same content is no change; the same content under another name is known too.
 */
import { type Cancel, Failure } from "../../base/index.ts";
import { type Located, quotable, type Scope } from "../../scope/index.ts";
import { namespaceOfFile } from "../../memory/index.ts";
import { inspect, isAtOrBelow, keyOf, locatedFrom } from "../../txn/index.ts";
import type { ChangeSet, PreparedChanges, PreparedStep } from "../../txn/index.ts";

export interface Baseline {
  /** An existing file is only changed when it is known. */
  readonly required: boolean;
  /** Hashes of whole files that the caller has seen. */
  readonly known: readonly string[];
  /** Also of those that it has seen in part; enough for an edit. */
  readonly partly: readonly string[];
  /** What it has seen last under which path. */
  readonly seen: readonly PathHash[];
  /** What this process has written or proposed under which path. */
  readonly made: readonly PathHash[];
  /** This process has shown no file yet: it may have been started for this call alone. */
  readonly isFirst: boolean;
}

interface PathHash {
  readonly path: string;
  readonly hash: string;
}

interface Look {
  readonly scope: Scope;
  readonly cancel: Cancel;
}

/**
 * @returns files that are replaced whole and were not read
 * @throws Failure `stale` for a hash that is not that of the file, and for a file that is not known when it must be
 */
export function checkBaselines(set: ChangeSet, prepared: PreparedChanges, baseline: Baseline, look: Look): string[] {
  for (const change of set.changes) {
    if (change.op === "move" || change.op === "copy") requireHash(change.source, change.ifHash, change.op, look);
    else if (change.op === "delete") requireHash(change.path, change.ifHash, change.op, look);
  }
  const given = new Set([...baseline.known, ...givenHashes(set)]);
  const partly = new Set(baseline.partly);
  const seen = new Map(baseline.seen.map(({ path, hash }) => [absoluteOf(path, look), hash]));
  const unread: string[] = [];
  for (const [index, step] of prepared.steps.entries()) {
    const file = prepared.files.find((one) => one.operation !== "none" && matches(one, step));
    if (file?.operation === "append") continue;
    const path = file?.path ?? step.at.rel;
    const gone = goneBefore(step, prepared.steps.slice(0, index), look);
    const isWhole = step.op !== "put" || file?.operation === "overwrite" || gone.length > 0;
    const takesHash = step.op === "put" && gone.length === 0;
    const parameter = takesHash ? hashParameter(set, file?.absolute, look) : undefined;
    for (const { hash, broughtFrom } of [...replacedHashes(step, look), ...gone]) {
      if (given.has(hash) || (!isWhole && partly.has(hash))) continue;
      const last = seen.get(broughtFrom ?? file?.absolute ?? "");
      const note = noteAt(step, look);
      if (last !== undefined && last !== hash) throw changed(path, file?.operation ?? "change", hash, note);
      if (baseline.required) throw notRead(path, isWhole, parameter, baseline, note);
      if (isWhole) unread.push(path);
    }
  }
  return unread;
}

/**
 * A text that is not in the file, because the file is another one than the caller has seen, is no mistake in the text: it is
 * stale, like a change that would still fit.
 */
export function staleIfChanged(thrown: unknown, set: ChangeSet, baseline: Baseline, look: Look): unknown {
  if (!(thrown instanceof Failure) || (thrown.code !== "no_match" && thrown.code !== "ambiguous")) return thrown;
  const failed = new Set(failedPaths(thrown, set).map((path) => absoluteOf(path, look)));
  const known = new Set([...baseline.partly, ...givenHashes(set)]);
  for (const { path } of baseline.seen) {
    if (!failed.has(absoluteOf(path, look))) continue;
    const now = hashAt(path, look);
    if (now !== undefined && !known.has(now)) return changed(path, "edit", now);
  }
  return thrown;
}

/**
 * A file that holds what a change would make, and not what it would replace, was changed so before only if this process did it
 * and the file is as it left it. Anybody else may have written more than that.
 *
 * @throws Failure `stale`, and `no_match` for a file that is as it was read
 */
export function requireMade({ path, hash }: PathHash, set: ChangeSet, baseline: Baseline, look: Look): void {
  const { made, partly, seen, required } = baseline;
  // A patch may have moved the file too.
  if (made.some((one) => one.hash === hash)) return;
  if (partly.includes(hash) || givenHashes(set).includes(hash))
    throw new Failure("no_match", `Cannot edit "${quotable(path)}": the old text is not in it`, {
      hint: "The new text is in it already, and another program put it there: this host did not. Look at what is left to change.",
    });
  const absolute = absoluteOf(path, look);
  if ([...seen, ...made].some((one) => absoluteOf(one.path, look) === absolute)) throw changed(path, "edit", hash);
  if (required) throw notRead(path, false, hashParameter(set, absolute, look), baseline);
}

/** The paths at which a patch says that it fails, and every path of an edit, because each of them would be refused. */
function failedPaths({ data }: Failure, { changes }: ChangeSet): string[] {
  const problems = (data.details?.["problems"] ?? []) as readonly { readonly file: string }[];
  return [
    ...problems.map(({ file }) => file),
    ...changes.flatMap((change) => (change.op === "edit" ? [change.path] : [])),
  ];
}

function hashAt(at: Located | string, { scope, cancel }: Look): string | undefined {
  try {
    const found = typeof at === "string" ? scope.locate(at, "edit") : at;
    const { before } = inspect(scope, found, "edit", { cancel });
    return before.kind === "file" ? before.hash : undefined;
  } catch {
    // What was thrown first is the answer then.
    return undefined;
  }
}

interface Replaced {
  readonly hash: string;
  /** Absolute: where an earlier step of the set takes it from, and where it was seen, if at all. Absent: it is here. */
  readonly broughtFrom?: string;
}

/** What the step replaces: what is on the disk now, or what an earlier step of the set has brought there from it. */
function replacedHashes(step: PreparedStep, { scope }: Look): Replaced[] {
  if (step.op !== "put" && step.op !== "move" && step.op !== "copy") return [];
  const lay = step.follows ? (step.relies ?? []) : [step];
  return lay.flatMap(({ at, before }) => {
    if (before.kind !== "file") return [];
    const isHere = keyOf(at) === keyOf(step.at);
    return [{ hash: before.hash, ...(isHere ? {} : { broughtFrom: scope.absolute(locatedFrom(scope, at)) }) }];
  });
}

/** The file that stood in this place before an earlier step of the set took it away: the two together replace it. */
function goneBefore(step: PreparedStep, earlier: readonly PreparedStep[], look: Look): Replaced[] {
  if (step.op !== "put" && step.op !== "move" && step.op !== "copy") return [];
  const isGone = earlier.some(
    ({ op, at }) => (op === "remove" || op === "remove_directory") && isAtOrBelow(step.at, at),
  );
  const hash = isGone ? hashAt(locatedFrom(look.scope, step.at), look) : undefined;
  return hash === undefined ? [] : [{ hash }];
}

function matches({ path, absolute }: { path: string; absolute: string }, step: PreparedStep): boolean {
  return path === step.at.rel || absolute === step.at.rel || absolute.endsWith(`/${step.at.rel}`);
}

function givenHashes({ changes }: ChangeSet): string[] {
  return changes.flatMap((change) => {
    if (change.op === "patch") return Object.values(change.ifHashes);
    return "ifHash" in change && change.ifHash !== undefined ? [change.ifHash] : [];
  });
}

function absoluteOf(path: string, { scope }: Look): string {
  try {
    return scope.absolute(scope.locate(path, "change"));
  } catch {
    return path;
  }
}

/** The namespace of a note, as which it is known to whoever writes one; `undefined` for any other file. */
function noteAt({ at }: PreparedStep, { scope }: Look): string | undefined {
  const place = locatedFrom(scope, at);
  return place.root.isMemory ? namespaceOfFile(place.rel) : undefined;
}

function changed(path: string, operation: string, hash: string, note?: string): Failure {
  return new Failure("stale", `Cannot ${operation} "${note ?? path}": it has changed since you read it`, {
    details: { path, hash, reason: "changed" },
  });
}

function requireHash(path: string, wanted: string | undefined, verb: string, { scope, cancel }: Look): void {
  if (wanted === undefined) return;
  const { before } = inspect(scope, scope.locate(path, verb), verb, { cancel });
  if (before.kind === "file" && before.hash === wanted) return;
  const state =
    before.kind === "file" ? "its content does not have the hash that was given" : "it is no file with a content";
  const details = before.kind === "file" ? { path, hash: before.hash } : { path };
  throw new Failure("stale", `Cannot ${verb} "${path}": ${state}`, { details });
}

/** How a call gives the hash of a file that it writes into. What a move or copy replaces has no such parameter. */
function hashParameter({ changes }: ChangeSet, absolute: string | undefined, look: Look): string | undefined {
  // A replacement names no file, so no hash either.
  if (changes.some(({ op }) => op === "replace")) return undefined;
  const isOwn = changes.some((change) => "path" in change && absoluteOf(change.path, look) === absolute);
  return !isOwn && changes.some(({ op }) => op === "patch") ? "in if_hashes" : "as if_hash";
}

function notRead(
  path: string,
  isWhole: boolean,
  parameter: string | undefined,
  { isFirst }: Baseline,
  note?: string,
): Failure {
  const read =
    note === undefined
      ? `Read ${isWhole ? "all of it" : "it"} with read_file first`
      : "Read all of it with memory_read first";
  const alone = isFirst ? ` ${FOR_ONE_CALL}` : "";
  const state = `Cannot ${isWhole ? "replace" : "change"} "${note ?? path}": it exists and was not read`;
  return new Failure("stale", state, {
    hint: `${parameter === undefined ? read : `${read}, or give its hash ${parameter}`}.${alone}`,
    details: { reason: "not_read" },
  });
}

/** A client that starts a host for each call can never have read anything in it. */
const FOR_ONE_CALL =
  "Only what this process has shown counts as read; where each call has a process of its own, start it with --baseline=if_known.";
