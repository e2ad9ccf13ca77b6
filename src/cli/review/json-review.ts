/**
 * A review for programs: every proposal is a line of JSON on stdout as it comes, and every line on stdin is a decision. Each
 * decision is answered with a line that repeats what it was about.
 */
import { createInterface } from "node:readline";
import * as z from "zod";
import { Failure, toFailure, reportBug } from "../../base/index.ts";
import { noChoices } from "../../review/index.ts";
import { printJson } from "../print.ts";
import type { ReviewOptions } from "./line-review.ts";
import type { ReviewDesk } from "./review-desk.ts";

const text = z.string().min(1);
const comment = z.strictObject({
  path: text.optional(),
  line: z.int().min(1).optional(),
  to: z.int().min(1).optional(),
  side: z.enum(["before", "after"]).optional(),
  quote: z.string().optional(),
  text,
});
const decision = z.union([
  z.strictObject({
    apply: text,
    out: z.record(text, z.union([z.literal("all"), z.array(text)])).default({}),
    comments: z.array(comment).default([]),
  }),
  z.strictObject({ reject: text, reason: z.string().default(""), comments: z.array(comment).default([]) }),
]);

/** Ends with stdin; with `once`, when nothing waits any more. */
export async function reviewAsJson({ desk, once }: ReviewOptions): Promise<void> {
  const lines = createInterface({ input: process.stdin, terminal: false });
  const input = { isOver: false };
  let deciding: Promise<void> = Promise.resolve();
  lines.on("line", (line) => {
    deciding = deciding.then(async () => await answer(desk, line));
  });
  lines.on("close", () => {
    input.isOver = true;
  });
  let known: readonly string[] = [];
  const isDone = (): boolean => input.isOver || (once && known.length === 0);
  do {
    const now = await desk.change(known, isDone);
    for (const id of known.filter((one) => !now.includes(one))) printJson({ type: "ended", id });
    for (const id of now.filter((one) => !known.includes(one))) await tell(desk, id);
    known = now;
    await deciding;
  } while (!isDone());
  lines.close();
}

async function tell(desk: ReviewDesk, id: string): Promise<void> {
  try {
    printJson({ type: "proposal", ...(await desk.load(id)) });
  } catch (thrown) {
    printJson({ type: "failed", id, failure: failureData(thrown) });
  }
}

async function answer(desk: ReviewDesk, line: string): Promise<void> {
  let about: unknown = line.slice(0, 200);
  try {
    const given = decision.parse(JSON.parse(line));
    about = "apply" in given ? given.apply : given.reject;
    const review = await desk.load("apply" in given ? given.apply : given.reject);
    const result =
      "apply" in given
        ? await desk.apply(review, { ...noChoices(named(given.apply)), out: given.out, comments: given.comments })
        : await desk.reject(review, given.reason, given.comments);
    printJson({ type: "decided", about, result });
  } catch (thrown) {
    printJson({ type: "failed", about, failure: failureData(thrown) });
  }
}

/** @throws Failure for an id without the digest of what was shown */
function named(label: string): string {
  if (label.includes("@")) return label;
  throw new Failure("invalid_input", `Cannot apply "${label}": name it as ID@DIGEST, as it was shown`);
}

function failureData(thrown: unknown): object {
  if (thrown instanceof SyntaxError || thrown instanceof z.ZodError)
    return new Failure("invalid_input", `Cannot read the decision: ${thrown.message}`, {
      hint: 'A line is {"apply":"ID@DIGEST","out":{"a.ts":["1.2"]},"comments":[...]} or {"reject":"ID","reason":"..."}.',
    }).data;
  return toFailure(thrown, () => reportBug(thrown)).data;
}
