/**
 * A review for programs: every proposal is a line of JSON on stdout as it comes, and every line on stdin is a decision. Each
 * decision is answered with a line that repeats what it was about.
 */
import { createInterface } from "node:readline";
import * as z from "zod";
import { Failure, toFailure, reportBug } from "../../base/index.ts";
import { parseSent } from "../../config/index.ts";
import { leaveOut, noChoices } from "../../review/index.ts";
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
const comments = z.array(comment).default([]);
/** As pairs, because the library passes over a member that is called `__proto__`. */
const out = z.preprocess(
  (given) => (isObject(given) ? new Map(Object.entries(given)) : given),
  z.map(text, z.union([z.literal("all"), z.array(text)])).default(new Map()),
);
const approval = z.strictObject({ apply: text, out, comments });
const rejection = z.strictObject({ reject: text, reason: z.string().default(""), comments });
type Decision = z.infer<typeof approval> | z.infer<typeof rejection>;

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
    const given = await readDecision(line);
    about = "apply" in given ? given.apply : given.reject;
    printJson({ type: "decided", about, result: await carryOut(desk, given) });
  } catch (thrown) {
    printJson({ type: "failed", about, failure: failureData(thrown) });
  }
}

/** @throws Failure `invalid_input` that says what is wrong, in the words of who wrote the line */
async function readDecision(line: string): Promise<Decision> {
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch (thrown) {
    throw unreadable(`it is not JSON: ${(thrown as Error).message}`);
  }
  const isAbout = (key: string): boolean => isObject(given) && Object.hasOwn(given, key);
  if (!isAbout("apply") && !isAbout("reject")) throw unreadable('it has neither "apply" nor "reject"');
  return await parseSent<Decision>(isAbout("apply") ? approval : rejection, given, unreadable);
}

function unreadable(why: string): Failure {
  return new Failure("invalid_input", `Cannot read the decision: ${why}`, {
    hint: 'A line is {"apply":"ID@DIGEST","out":{"a.ts":["1.2"]},"comments":[...]} or {"reject":"ID","reason":"..."}.',
  });
}

async function carryOut(desk: ReviewDesk, given: Decision): Promise<object> {
  if (!("apply" in given)) return await desk.reject(await desk.load(given.reject), given.reason, given.comments);
  const review = await desk.load(given.apply);
  const choices = leaveOut(noChoices(named(given.apply)), review.files, given.out);
  return await desk.apply(review, { ...choices, comments: given.comments });
}

/** @throws Failure for an id without the digest of what was shown */
function named(label: string): string {
  if (label.includes("@")) return label;
  throw new Failure("invalid_input", `Cannot apply "${label}": name it as ID@DIGEST, as it was shown`);
}

function failureData(thrown: unknown): object {
  return toFailure(thrown, () => reportBug(thrown)).data;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
