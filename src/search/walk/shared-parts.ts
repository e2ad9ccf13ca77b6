/**
 * Work in parts, of which some are done by another worker while it has time, and the others here; the answers are taken
 * in the order of the parts. What a part is depends on the tree and the call alone, so the whole answer does too.
 */
import type { SearchContext } from "../context.ts";

/** At another worker at once: one that it does, and others so that it never waits. */
const MAX_SHARED = 3;
/** Parts that were done before an earlier one: what they found is held. */
const MAX_AHEAD = 24;
/** After a worker had no time: so many parts are done here before it is asked again. */
const PARTS_ALONE = 8;

interface PartWork<Part, Answer> {
  /** The job's name in the other worker, and its input; what comes back is an `Answer` as JSON. */
  readonly name: string;
  readonly request: (part: Part) => string;
  readonly here: (part: Part) => Promise<Answer>;
  /** In order. @returns whether to stop; what was done of later parts is then dropped */
  readonly take: (part: Part, answer: Answer) => boolean;
}

interface Waiting<Part, Answer> {
  readonly part: Part;
  answer?: { readonly value: Answer } | { readonly thrown: unknown };
  /** Absent: it is done here. */
  arrival?: Promise<void> | undefined;
}

/**
 * @param parts with a promise of the next turn wherever others should have the thread
 * @returns whether `take` stopped it. @throws what a part throws
 */
export async function inParts<Part extends object, Answer>(
  ctx: SearchContext,
  parts: Iterator<Part | Promise<void>>,
  work: PartWork<Part, Answer>,
): Promise<boolean> {
  const waiting: Waiting<Part, Answer>[] = [];
  let alone = ctx.share ? 0 : Infinity;
  let [shared, isAtEnd] = [0, false];
  const arrivalOf = async (one: Waiting<Part, Answer>): Promise<void> => {
    const isTaken = await elsewhere(ctx, one, work);
    shared--;
    if (!isTaken) alone = PARTS_ALONE;
  };
  for (;;) {
    for (let first = waiting[0]; first?.answer; first = waiting[0]) {
      if ("thrown" in first.answer) throw first.answer.thrown;
      if (work.take(first.part, first.answer.value)) return true;
      waiting.shift();
    }
    let one = waiting.find(({ answer, arrival }) => !answer && !arrival);
    if (!one) {
      const next = isAtEnd || waiting.length >= MAX_AHEAD ? undefined : parts.next();
      isAtEnd ||= next?.done === true;
      if (!next || next.done === true) {
        const first = waiting[0]?.arrival;
        if (!first) return false;
        await (ctx.turn?.away(first) ?? first);
        continue;
      }
      if (next.value instanceof Promise) {
        await next.value;
        continue;
      }
      one = { part: next.value };
      waiting.push(one);
      if (alone <= 0 && shared < MAX_SHARED) {
        shared++;
        one.arrival = arrivalOf(one);
        continue;
      }
    }
    alone--;
    one.answer = { value: await work.here(one.part) };
    ctx.tidy?.();
    // Answers of other workers come between two parts only.
    if (shared > 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** @returns whether another worker did it; where none has time it is done here */
async function elsewhere<Part, Answer>(
  ctx: SearchContext,
  one: Waiting<Part, Answer>,
  work: PartWork<Part, Answer>,
): Promise<boolean> {
  try {
    const answer = await ctx.share?.(work.name, work.request(one.part));
    if (answer !== undefined) one.answer = { value: JSON.parse(answer) as Answer };
    else one.arrival = undefined;
    return answer !== undefined;
  } catch (thrown) {
    one.answer = { thrown };
    return true;
  }
}
