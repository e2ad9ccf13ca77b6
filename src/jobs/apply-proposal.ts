/**
 * A proposal onto the disk, or a `stale` failure that carries the new diff, so that the caller sees at once what the
 * same result would mean now.
 */
import { Failure, limits } from "../base/index.ts";
import type { JobContext } from "../pool/index.ts";
import type { Scope } from "../scope/index.ts";
import { openUndoFolder } from "../state/index.ts";
import { commitChanges, currentDiff, type Sealed, type SealedFile } from "../txn/index.ts";
import type { ChangeBench } from "./change-jobs.ts";
import type { Proposal } from "./proposal.ts";

export interface Applied {
  readonly transaction: string;
  readonly summary: string;
  readonly files: readonly SealedFile[];
}

type Contents = readonly Uint8Array[] | ((index: number) => Uint8Array);

/** @throws Failure `stale` with `details.diff`; nothing is written then */
export function applyProposal(
  proposal: Proposal,
  contents: Contents,
  bench: ChangeBench,
  job: JobContext,
  files?: readonly string[],
): Applied {
  const scope = bench.scopeOf(proposal.scope);
  const sealed = files === undefined ? proposal.sealed : selectFiles(proposal, files);
  const content = (index: number): Uint8Array => {
    const bytes = typeof contents === "function" ? contents(index) : contents[index];
    if (!bytes) throw new Error(`content ${index} of ${proposal.id} is missing`);
    return bytes;
  };
  try {
    const undoFolder = (transaction: string): string => openUndoFolder(bench.folder.undo, transaction);
    const { transaction } = commitChanges(sealed, { scope, cancel: job.cancel, content, undoFolder });
    return { transaction, summary: sealed.summary, files: sealed.files };
  } catch (thrown) {
    throw thrown instanceof Failure && thrown.code === "stale"
      ? withDiff(thrown, sealed, scope, content, job)
      : thrown;
  }
}

function withDiff(
  failure: Failure,
  sealed: Sealed,
  scope: Scope,
  content: (index: number) => Uint8Array,
  job: JobContext,
): Failure {
  const diff = currentDiff(sealed, { scope, cancel: job.cancel, content, maxBytes: limits.MAX_DIFF_BYTES });
  return new Failure("stale", failure.data.message, {
    ...failure.data,
    details: { ...failure.data.details, diff },
  });
}

/** Parts of a proposal are whole files. @throws Failure `invalid_input` for a path that is not in it */
function selectFiles(proposal: Proposal, wanted: readonly string[]): Sealed {
  const { sealed } = proposal;
  const names = sealed.files.flatMap((file) => [file.path, file.absolute]);
  for (const path of wanted)
    if (!names.includes(path))
      throw new Failure(
        "invalid_input",
        `Cannot apply "${path}" of the proposal: it is not one of its files`,
        { candidates: sealed.files.map((file) => file.path) },
      );
  const chosen = sealed.files.map((file) => wanted.includes(file.path) || wanted.includes(file.absolute));
  // Files and steps stand in one order; a file without a step needs nothing.
  let next = 0;
  const steps = sealed.files.flatMap((file, index) => {
    if (file.operation === "none") return [];
    const step = sealed.steps[next++];
    return step && chosen[index] ? [step] : [];
  });
  return { ...sealed, steps, files: sealed.files.filter((_, index) => chosen[index]) };
}
