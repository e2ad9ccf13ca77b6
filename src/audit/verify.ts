/**
 * Whether the record is as it was written: every line in its place in the chain, every segment at least as long as its
 * signed checkpoint says, every segment that a later one names still there. Says which line is wrong, as far as the
 * chain can tell: an edited line whose hash was made to fit is found at the next one, and at the checkpoint.
 *
 * What came after the last checkpoint can be cut off without a trace; what was written to it cannot.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listNames } from "../state/index.ts";
import { firstHash, hasCheckpoint, hashOf, isBlank, isGenuine, readCheckpoint, splitLine } from "./chain.ts";
import { type AuditFolders, type Head, listSegments, SUFFIX } from "./segment.ts";

interface SegmentReport {
  readonly segment: string;
  readonly lines: number;
  /** Lines that are covered by the signature. */
  readonly signed: number;
  /** The last line was never finished: the process ended while it was written. */
  readonly isTorn: boolean;
  readonly problems: readonly string[];
}

export interface AuditReport {
  readonly segments: readonly SegmentReport[];
  /** What is wrong with the record as a whole. */
  readonly problems: readonly string[];
  readonly isIntact: boolean;
}

interface Chain {
  /** As each line states it. */
  readonly hashes: string[];
  readonly problems: string[];
  readonly isTorn: boolean;
  readonly previous: readonly Head[];
  readonly pruned: readonly Head[];
  /** This segment was begun when only the key was left of the record before it. */
  readonly emptied: boolean;
}

/**
 * @param publicKey absent where no record was ever begun: its first segment makes the key
 * @param report hears how many segments were read
 */
export function verifyAudit(
  folders: AuditFolders,
  publicKey: string | undefined,
  report: (done: number, total: number, what: string) => void = () => undefined,
): AuditReport {
  const names = listSegments(folders.audit);
  const chains = new Map<string, Chain>();
  for (const [index, name] of names.entries()) {
    report(index, names.length, "segments read");
    chains.set(name, readChain(folders.audit, name));
  }
  const segments = names.map((name) => reportOf(name, chains.get(name), folders, publicKey ?? ""));
  const gone = missing(names, folders, chains);
  const problems = [
    ...gone,
    // Where a checkpoint is left its segment is named.
    ...(gone.length > 0 ? [] : removedWhole(names, chains, publicKey !== undefined)),
    ...[...chains.values()].flatMap((one) => brokenLinks(one, chains)),
  ];
  const isIntact = problems.length === 0 && segments.every((one) => one.problems.length === 0);
  return { segments, problems: [...new Set(problems)], isIntact };
}

function readChain(folder: string, segment: string): Chain {
  const text = readFileSync(join(folder, segment + SUFFIX), "utf8");
  const lines = text.split("\n");
  const rest = lines.pop() ?? "";
  const problems: string[] = [];
  const hashes: string[] = [];
  let before = firstHash(segment);
  for (const [index, line] of lines.entries()) {
    const split = splitLine(line);
    if (!split) {
      problems.push(`line ${index + 1} is no line of a record`);
      hashes.push("");
      continue;
    }
    const seq = Number(/^\{"seq":(\d+),/.exec(line)?.[1]);
    if (seq !== index + 1)
      problems.push(`line ${index + 1} has the number ${seq}: lines were removed, added or moved before it`);
    if (hashOf(before, split.body) !== split.hash)
      problems.push(`line ${index + 1} is not what was written, or does not follow line ${index}`);
    before = split.hash;
    hashes.push(split.hash);
  }
  const { previous = [], pruned = [], emptied = false } = headerOf(lines[0]);
  return { hashes, problems, isTorn: rest !== "", previous, pruned, emptied };
}

function headerOf(line: string | undefined): Partial<Pick<Chain, "previous" | "pruned" | "emptied">> {
  try {
    return JSON.parse(line ?? "{}") as Partial<Chain>;
  } catch {
    return {};
  }
}

function reportOf(
  segment: string,
  chain: Chain | undefined,
  { checkpoints }: AuditFolders,
  publicKey: string,
): SegmentReport {
  const { hashes = [], isTorn = false, problems: broken = [] } = chain ?? {};
  const problems = [...broken];
  const checkpoint = readCheckpoint(checkpoints, segment);
  if (!checkpoint && hashes.length === 0 && isBlank(checkpoints, segment)) {
    // On a full disk it could not be begun, and nothing was ever written to it.
  } else if (!checkpoint)
    problems.push(
      hasCheckpoint(checkpoints, segment)
        ? "its checkpoint is not valid: it was edited or damaged"
        : "its checkpoint is missing",
    );
  else if (checkpoint.segment !== segment || !isGenuine(checkpoint, publicKey))
    problems.push("its checkpoint is not signed by the key of this record");
  else if (checkpoint.count > hashes.length)
    problems.push(`it has ${hashes.length} whole lines, and ${checkpoint.count} were signed: the end was cut off`);
  else if (checkpoint.count > 0 && hashes[checkpoint.count - 1] !== checkpoint.head)
    problems.push(`line ${checkpoint.count} is not the one that was signed: it or a line before it was rewritten`);
  return { segment, lines: hashes.length, signed: checkpoint?.count ?? 0, isTorn, problems };
}

/** The key is as old as the first segment, and what went by its age is named by a later one. */
function removedWhole(names: readonly string[], chains: ReadonlyMap<string, Chain>, isBegun: boolean): string[] {
  if (isBegun && names.length === 0)
    return ["the record is empty, and its key shows that there was one: all of it was removed"];
  return names
    .filter((name) => chains.get(name)?.emptied)
    .map((name) => `${name} was begun when nothing but the key was left: the record before it was removed`);
}

/** Checkpoints without a segment. */
function missing(
  names: readonly string[],
  { checkpoints }: AuditFolders,
  chains: ReadonlyMap<string, Chain>,
): string[] {
  const pruned = prunedIn(chains);
  return listNames(checkpoints)
    .map((name) => name.replace(/\.json$/, ""))
    .filter((segment) => !names.includes(segment) && !pruned.has(segment))
    .map((segment) => `the segment ${segment} is missing`);
}

/** What a segment says about those before it. */
function brokenLinks({ previous }: Chain, chains: ReadonlyMap<string, Chain>): string[] {
  const pruned = prunedIn(chains);
  return previous.flatMap(({ segment, count, head }) => {
    const chain = chains.get(segment);
    if (!chain) return pruned.has(segment) ? [] : [`the segment ${segment} is missing`];
    const isSame = count === 0 || chain.hashes[count - 1] === head;
    return isSame ? [] : [`the segment ${segment} is not the one that a later segment names: line ${count} differs`];
  });
}

function prunedIn(chains: ReadonlyMap<string, Chain>): ReadonlySet<string> {
  return new Set([...chains.values()].flatMap((chain) => chain.pruned.map(({ segment }) => segment)));
}
