/**
 * Parts of a proposal: whole files, and in text files single hunks of the diff that was shown. What is left is a prepared
 * change set like any other, with the same preconditions. The diff is our own, so its line numbers are exact, and nothing is
 * searched for when hunks are put into the text.
 *
 * Usual mistake: leaving out a change that a chosen one builds on, which would then do something that nobody saw.
 */
import { diffLines, summarise, type FileChange } from "../../approval/index.ts";
import type { HunkName, LeftOut, ProposalParts } from "../../calls/index.ts";
import { Failure, limits, sha256, type Cancel } from "../../base/index.ts";
import type { Scope } from "../../scope/index.ts";
import { decodeText, encodeText, type LegacyEncoding } from "../../text/index.ts";
import {
  describeContent,
  inspect,
  isUnchanged,
  locatedFrom,
  pathsOf,
  type PreparedChanges,
  type HideKeys,
  type PreparedStep,
  type RootPath,
} from "../../txn/index.ts";

export interface Selected {
  readonly prepared: PreparedChanges;
  readonly content: (index: number) => Uint8Array;
  /** Absent when all was taken. */
  readonly leftOut?: readonly LeftOut[];
}

export interface SelectContext {
  readonly scope: Scope;
  readonly cancel: Cancel;
  readonly legacyEncoding?: LegacyEncoding | undefined;
  readonly hideKeys?: HideKeys | undefined;
  readonly content: (index: number) => Uint8Array;
}

interface Pair {
  readonly file: FileChange;
  /** A file that stays as it is has none. */
  readonly step: PreparedStep | undefined;
  readonly isChosen: boolean;
  readonly hunks: readonly HunkName[] | undefined;
}

/** @throws Failure `invalid_input` for a part that is not in it, `stale` when the file is not what it was */
export function selectParts(prepared: PreparedChanges, parts: ProposalParts, ctx: SelectContext): Selected {
  if (parts.files === undefined && parts.hunks === undefined) return { prepared, content: ctx.content };
  const pairs = pairUp(prepared, parts);
  refuseMissingGround(pairs);
  const added: Uint8Array[] = [];
  const first = 1 + Math.max(-1, ...prepared.steps.map((step) => (step.op === "put" ? step.content : -1)));
  const leftOut: LeftOut[] = [];
  const taken = pairs.flatMap((pair): Pair[] => {
    const { path, operation } = pair.file;
    if (!pair.isChosen) {
      leftOut.push({ path, operation });
      return [];
    }
    if (!pair.hunks) return [pair];
    const part = takePart(pair, pair.hunks, ctx);
    if (part.left.length > 0) leftOut.push({ path, operation, hunks: part.left });
    added.push(part.bytes);
    const step = { ...part.step, content: first + added.length - 1 };
    return [{ ...pair, file: part.file, step }];
  });
  const chosen = taken.map(({ file }) => file);
  return {
    prepared: {
      ...prepared,
      summary: summarise(chosen),
      files: chosen,
      steps: taken.flatMap(({ step }) => (step ? [step] : [])),
    },
    content: (index) => added[index - first] ?? ctx.content(index),
    leftOut,
  };
}

/** Files and steps stand in one order; a file without a step needs nothing. */
function pairUp(prepared: PreparedChanges, { files = [], hunks = {} }: ProposalParts): Pair[] {
  const names = prepared.files.flatMap((file) => [file.path, file.absolute]);
  for (const path of [...files, ...Object.keys(hunks)])
    if (!names.includes(path))
      throw new Failure("invalid_input", `Cannot apply "${path}" of the proposal: it is not one of its files`, {
        candidates: prepared.files.map((file) => file.path),
      });
  let next = 0;
  return prepared.files.map((file) => {
    const step = file.operation === "none" ? undefined : prepared.steps[next++];
    const own = hunkNumbers(hunks, file);
    const isNamed = files.includes(file.path) || files.includes(file.absolute);
    return { file, step, isChosen: isNamed || own !== undefined, hunks: step ? own : undefined };
  });
}

function hunkNumbers(
  hunks: Readonly<Record<string, readonly HunkName[]>>,
  { path, absolute }: FileChange,
): readonly HunkName[] | undefined {
  return [path, absolute].flatMap((name) => (Object.hasOwn(hunks, name) ? [hunks[name] ?? []] : []))[0];
}

/** A change that was prepared on what an earlier one leaves needs all of that one. */
function refuseMissingGround(pairs: readonly Pair[]): void {
  for (const [index, { file, step, isChosen }] of pairs.entries()) {
    if (!isChosen || !step?.follows) continue;
    const ground = pairs
      .slice(0, index)
      .find((earlier) => (!earlier.isChosen || earlier.hunks) && earlier.step && touch(earlier.step, step));
    if (!ground) continue;
    throw new Failure(
      "invalid_input",
      `Cannot apply "${file.path}" of the proposal: it builds on the change of "${ground.file.path}", which is not taken whole`,
      { hint: `Take "${ground.file.path}" too, or the whole proposal.`, candidates: [ground.file.path] },
    );
  }
}

function touch(a: PreparedStep, b: PreparedStep): boolean {
  return pathsOf(a).some((one) => pathsOf(b).some((other) => overlaps(one, other)));
}

function overlaps(a: RootPath, b: RootPath): boolean {
  if (a.root !== b.root) return false;
  return a.rel === b.rel || a.rel.startsWith(`${b.rel}/`) || b.rel.startsWith(`${a.rel}/`);
}

interface TakenPart {
  readonly file: FileChange;
  readonly step: PreparedStep & { readonly op: "put" };
  readonly bytes: Uint8Array;
  /** The hunks that were not chosen, or the places in them. */
  readonly left: readonly HunkName[];
}

function takePart({ file, step }: Pair, wanted: readonly HunkName[], ctx: SelectContext): TakenPart {
  const refused = (state: string): Failure =>
    new Failure("invalid_input", `Cannot apply hunks of "${file.path}": ${state}`, {
      hint: "Apply the whole file: name it in `files`.",
    });
  if (step?.op !== "put") throw refused("its change has no hunks");
  if (step.follows) throw refused("it builds on another change of the proposal");
  if (file.diff === undefined || file.diff === "") throw refused("it has no diff of text");
  if (file.diff_whole) throw refused("it was too much to compare: its diff is one hunk");
  const places = readPlaces(file.diff);
  const chosen = choosePlaces(places, wanted, refused);
  const left = leftOf(places, chosen);
  const old = oldBytes(step, file, ctx);
  const legacy = ctx.legacyEncoding === undefined ? {} : { legacy: ctx.legacyEncoding };
  const [before, after] = [decodeText(old, legacy), decodeText(ctx.content(step.content), legacy)];
  if (before.kind !== "text" || after.kind !== "text") throw refused("it is not text");
  const isOneEncoding = before.encoding === after.encoding || old.length === 0;
  if (!isOneEncoding || takePlaces(before.text, places, new Set(places)) !== after.text)
    throw refused("its encoding changes with its text");
  const encoded = encodeText(takePlaces(before.text, places, chosen), after.encoding);
  if (encoded.kind !== "bytes") throw refused("the part cannot be written in its encoding");
  const { bytes } = encoded;
  const { diff: _, told_diff: _told, added: _added, removed: _removed, hash: _hash, ...shown } = file;
  const isNew = step.before.kind === "absent";
  const described = describeContent(shown, isNew ? undefined : old, bytes, {
    legacy: ctx.legacyEncoding,
    hideKeys: ctx.hideKeys,
  });
  return { file: { ...shown, ...described, hash: sha256(bytes) }, step, bytes, left };
}

/** What the diff was made from; the commit checks it again under its locks. */
function oldBytes(step: PreparedStep & { op: "put" }, file: FileChange, ctx: SelectContext): Uint8Array {
  const now = inspect(ctx.scope, locatedFrom(ctx.scope, step.at), "change", {
    cancel: ctx.cancel,
    maxBytes: limits.MAX_EDIT_FILE_BYTES,
  });
  if (isUnchanged(step.before, now.before)) return now.bytes ?? new Uint8Array();
  throw new Failure("stale", `Cannot apply the change of "${file.path}": it has changed since the proposal was made`, {
    hint: "Nothing was written. Look at the current state and make the change again.",
  });
}

/** One place of change: lines that follow each other, without context. */
interface Place {
  /** The number of its hunk, and its own in that hunk, from 1. */
  readonly hunk: number;
  readonly number: number;
  /** Index of the first old line. */
  readonly start: number;
  /** How many old lines there are. */
  count: number;
  /** The lines afterwards, with their ends. */
  readonly lines: string[];
}

/** @param diff of one file, whole: not one that was cut */
function readPlaces(diff: string): Place[] {
  const places: Place[] = [];
  let place: Place | undefined;
  for (const line of diffLines(diff)) {
    if (line.isOld && line.isNew) {
      place = undefined;
      continue;
    }
    if (place?.hunk !== line.hunk) {
      const last = places.at(-1);
      const number = last?.hunk === line.hunk ? last.number + 1 : 1;
      place = { hunk: line.hunk, number, start: line.oldLine - 1, count: 0, lines: [] };
      places.push(place);
    }
    if (line.isOld) place.count++;
    if (line.isNew) place.lines.push(line.isUnended ? line.text : `${line.text}\n`);
  }
  return places;
}

/** @throws Failure `invalid_input`, made by `refused`, for a name that means nothing in this diff */
function choosePlaces(
  places: readonly Place[],
  wanted: readonly HunkName[],
  refused: (state: string) => Failure,
): ReadonlySet<Place> {
  const byName = new Map<string, Place[]>();
  for (const place of places) {
    byName.set(`${place.hunk}.${place.number}`, [place]);
    byName.set(String(place.hunk), [...(byName.get(String(place.hunk)) ?? []), place]);
  }
  const hunks = places.at(-1)?.hunk ?? 0;
  return new Set(
    wanted.flatMap((name) => {
      const meant = byName.get(String(name));
      if (!meant) throw refused(`there is no hunk ${name}, its diff has ${hunks}`);
      return meant;
    }),
  );
}

/** A hunk of which nothing was taken by its number, a place by both. */
function leftOf(places: readonly Place[], chosen: ReadonlySet<Place>): HunkName[] {
  const taken = new Set([...chosen].map(({ hunk }) => hunk));
  const left = places.filter((place) => !chosen.has(place));
  return [...new Set(left.map(({ hunk, number }) => (taken.has(hunk) ? `${hunk}.${number}` : hunk)))];
}

function takePlaces(before: string, places: readonly Place[], chosen: ReadonlySet<Place>): string {
  const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const text: string[] = [];
  let at = 0;
  for (const place of places) {
    const { start, count, lines } = place;
    text.push(...old.slice(at, start));
    text.push(...(chosen.has(place) ? lines : old.slice(start, start + count)));
    at = start + count;
  }
  return text.join("") + old.slice(at).join("");
}
