/**
 * A change with an idempotency key: made once, whoever sends it again and however often, also to two hosts at once. The
 * first answer is kept until the proposal that it told of has ended; then a repeat is told how.
 */
import { Failure, logLine, sha256 } from "../../base/index.ts";
import { ResultText, type JobContext } from "../../pool/index.ts";
import type { KeptAnswer } from "../../state/index.ts";
import type { ChangeBench } from "./change-bench.ts";
import { recover } from "./history-jobs.ts";
import type { ChangeFacts, Repeat } from "../proposal/proposal.ts";

/** The kernel lets go of the locks of a dying process one after the other; its journal may be the last. */
const DYING_MS = 20;

interface Planning {
  readonly plan: (repeat: Repeat) => ResultText<ChangeFacts>;
  /** The answer about a proposal that waits, as it is now. */
  readonly again: (id: string) => ResultText<ChangeFacts>;
}

/** @param asked what the key stands for; another call with it is a `conflict`. @throws Failure also of `plan` */
export function planRepeatable(
  key: string,
  asked: readonly unknown[],
  bench: ChangeBench,
  job: JobContext,
  { plan, again }: Planning,
): ResultText<ChangeFacts> {
  const { answers } = bench.books;
  const digest = sha256(JSON.stringify(asked));
  using held = answers.hold(key, job.cancel);
  let kept = answers.find(key, digest);
  if (!kept && held.hasWaited) {
    // Whoever held the key may have died with the change half made.
    Bun.sleepSync(DYING_MS);
    recover(bench);
    kept = answers.find(key, digest);
  }
  const still = kept && stillTrue(kept, bench, again);
  if (still) return still;
  const answer = plan({ key, digest, results: bench.config.facts.results });
  try {
    answers.put({ key, digest, payload: answer.text, facts: answer.factsText });
  } catch (thrown) {
    // The change is made or proposed all the same.
    logLine(`cannot keep the answer for an idempotency key: ${String(thrown)}`);
  }
  return answer;
}

/**
 * The kept answer where it is still true: one that tells of a proposal is so only while that waits, and then tells it anew. When
 * it is applied, that answer takes the place of this one.
 *
 * @throws Failure `conflict` when it was rejected, or applied and the answer could not be kept
 */
function stillTrue(
  { payload, facts }: KeptAnswer,
  { store }: ChangeBench,
  again: Planning["again"],
): ResultText<ChangeFacts> | undefined {
  const { proposal } = JSON.parse(facts) as { readonly proposal?: { readonly id: string } };
  if (!proposal) return new ResultText(payload, facts);
  const ending = store.endingOf(proposal.id);
  if (!ending) return again(proposal.id);
  if (ending.outcome === "expired") return undefined;
  const why = ending.reason === undefined ? "" : `: ${ending.reason}`;
  throw new Failure(
    "conflict",
    `Cannot propose the change again: its proposal "${proposal.id}" was ${ending.outcome}${why}`,
    {
      hint:
        ending.outcome === "applied"
          ? "Nothing is left to do."
          : "To propose it once more, send it with a new idempotency key.",
      details: { ...ending },
    },
  );
}
