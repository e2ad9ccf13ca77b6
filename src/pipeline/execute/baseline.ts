/**
 * Between what workers say of the files that they showed or changed and what this process knows of them.
 */
import type { Baseline } from "../../jobs/index.ts";
import type { Outcome } from "../../mcp/index.ts";
import type { ReadFacts } from "../../contract/index.ts";
import type { ResultText } from "../../pool/index.ts";
import type { Call } from "../call.ts";
import { clientName } from "../record.ts";
import type { Services } from "../services.ts";

/** @param isPlain the answer is the text of the file, and can be kept to compare with */
export function noteRead(
  host: Services,
  call: Call,
  { text, facts }: ResultText<ReadFacts>,
  isPlain: boolean,
): Outcome {
  const { truncated, matches, counts, read = [] } = facts ?? {};
  for (const seen of read) host.policy.baselines.note(seen, isPlain ? text : undefined);
  if (read.length > 0) host.policy.resumed.noted(clientName(call));
  return {
    members: text,
    ...(truncated ? { isCut: true } : {}),
    ...(matches === undefined ? {} : { matches }),
    counts,
    said: wordsOf(read),
  };
}

/** `lines 1-120 of 300`, `3 lines`. */
function wordsOf(read: ReadFacts["read"]): string | undefined {
  const [only] = read;
  if (read.length !== 1 || !only) return read.length === 0 ? undefined : `${read.length} files`;
  if (only.isUnchanged) return "unchanged";
  const [first, last, total] = only.lines ?? [];
  if (first === undefined || last === undefined || total === undefined) return undefined;
  return first <= 1 && last >= total
    ? `${total} ${total === 1 ? "line" : "lines"}`
    : `lines ${first}-${last} of ${total}`;
}

/** `unless_hash: "known"` means the hash of what this process showed last. */
export function withKnownHash(host: Services, input: unknown): unknown {
  const { unless_hash: asked, path } = input as { unless_hash?: unknown; path?: unknown };
  if (asked !== "known" || typeof path !== "string") return input;
  return { ...(input as object), unless_hash: host.policy.baselines.shownHashOf(path) };
}

export function baselineOf(host: Services, call: Call, paths: readonly string[] | "all"): Baseline {
  const { baselines, resumed } = host.policy;
  resumed.resume(clientName(call));
  const named = paths === "all" ? [] : paths;
  const hashes = named.flatMap((path) => baselines.hashesOf(path));
  return {
    isFirst: baselines.isEmpty,
    required: host.config.baseline === "required",
    known: hashes.filter(({ isWhole }) => isWhole).map(({ hash }) => hash),
    partly: hashes.map(({ hash }) => hash),
    made: named.flatMap((path) => baselines.madeOf(path).map((hash) => ({ path, hash }))),
    seen: named.flatMap((path) => {
      const hash = baselines.hashOf(path);
      return hash === undefined ? [] : [{ path, hash }];
    }),
  };
}
