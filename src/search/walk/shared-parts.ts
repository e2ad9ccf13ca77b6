/**
 * The one scheduler of searches in parts. Some parts are done by another worker while it has time, the others here; the
 * answers are taken in the order in which the parts were begun.
 *
 * Usual mistake: to make an answer depend on who did a part, or when; it must be the same in any case.
 */
import type { SearchContext } from "../context.ts";

/** Parts that another worker has at once: one that it does, and others so that it never waits. */
const MAX_SHARED = 3;
/** Parts that were done before an earlier one; what they found is held. */
const MAX_AHEAD = 24;
/** After a worker had no time, so many parts are done here before it is asked again. */
const PARTS_ALONE = 8;

interface PartWork<Part, Answer> {
  /** The name of the job in the other worker; what comes back is an `Answer` as JSON. */
  readonly name: string;
  /** The input of that job; `undefined` for a part that must be done here. */
  readonly request: (part: Part) => string | undefined;
  /**
   * A promise of the next turn wherever others should have the thread; `undefined` when there is no part now. It is asked
   * again after an answer was taken. @param isShared another worker could do it
   */
  readonly next: (isShared: boolean) => Part | Promise<void> | undefined;
  readonly here: (part: Part) => Answer | Promise<Answer>;
  /** @returns whether to stop; what was done of later parts is then dropped */
  readonly take: (part: Part, answer: Answer) => boolean;
}

interface Waiting<Part, Answer> {
  readonly part: Part;
  answer?: { readonly value: Answer } | { readonly thrown: unknown };
  /** Absent: the part is done here. */
  arrival?: Promise<void> | undefined;
}

/** Ends when `take` says so, or there is no part left. @throws what a part throws */
export async function inParts<Part extends object, Answer>(
  ctx: SearchContext,
  work: PartWork<Part, Answer>,
): Promise<void> {
  const waiting: Waiting<Part, Answer>[] = [];
  let alone = ctx.share ? 0 : Infinity;
  let shared = 0;
  const arrivalOf = async (one: Waiting<Part, Answer>, request: string): Promise<void> => {
    const isDone = await elsewhere(ctx, one, work.name, request);
    shared--;
    if (!isDone) alone = PARTS_ALONE;
  };
  for (;;) {
    for (let first = waiting[0]; first?.answer; first = waiting[0]) {
      if ("thrown" in first.answer) throw first.answer.thrown;
      if (work.take(first.part, first.answer.value)) return;
      waiting.shift();
    }
    let one = waiting.find(({ answer, arrival }) => !answer && !arrival);
    if (!one) {
      const isShared = alone <= 0 && shared < MAX_SHARED;
      const next = waiting.length < MAX_AHEAD ? work.next(isShared) : undefined;
      if (next === undefined) {
        const first = waiting[0]?.arrival;
        if (!first) return;
        await (ctx.turn?.away(first) ?? first);
        continue;
      }
      if (next instanceof Promise) {
        await next;
        continue;
      }
      one = { part: next };
      waiting.push(one);
      const request = isShared ? work.request(next) : undefined;
      if (request !== undefined) {
        shared++;
        one.arrival = arrivalOf(one, request);
        continue;
      }
    }
    alone--;
    one.answer = { value: await work.here(one.part) };
    const turn = ctx.turn?.pause();
    if (turn) await turn;
    // Answers of other workers come between two parts only.
    else if (shared > 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** @returns whether another worker did it; where none has time it is done here */
async function elsewhere<Part, Answer>(
  { share }: SearchContext,
  one: Waiting<Part, Answer>,
  name: string,
  request: string,
): Promise<boolean> {
  try {
    const answer = await share?.(name, request);
    if (answer !== undefined) one.answer = { value: JSON.parse(answer) as Answer };
    else one.arrival = undefined;
    return answer !== undefined;
  } catch (thrown) {
    one.answer = { thrown };
    return true;
  }
}
