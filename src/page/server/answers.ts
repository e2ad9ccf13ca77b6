/**
 * What the page can ask, by the last part of its path: reading, keeping what is chosen, deciding, undoing, and granting a rule
 * whose sheet was shown. There is nothing here that starts a program, changes a mode or edits a configuration, and there must
 * not be.
 */
import * as z from "zod";
import { BLOCK_LINES, FIRST_BLOCKS } from "../outline.ts";
import { PAGE_ASKS, type PageAskName } from "../protocol.ts";
import type { Colorist } from "./color-texts.ts";
import type { HeldProposals } from "./held-proposals.ts";
import type { ReviewerLine } from "./reviewer-line.ts";

const layout = z.enum(["unified", "split"]);
const label = z.string().min(1).max(200);
/** A page asks for what comes on the screen next. */
const MAX_LINES = 2000;
const MAX_FIND_CHARS = 1000;

export interface PageWorld {
  readonly reviewer: ReviewerLine;
  readonly held: HeldProposals;
  readonly colorist: () => Colorist;
  /** What stands behind it in the queue. */
  readonly nextOf: (id: string) => string | undefined;
}

/** @throws ZodError, Failure */
type Answer = (body: unknown) => Promise<object>;

export function createAnswers({ reviewer, held, colorist, nextOf }: PageWorld): ReadonlyMap<string, Answer> {
  const answers: Readonly<Record<string, Answer>> = {
    show: taking(z.strictObject({ id: label, layout }), async (ask) => {
      const { proposal, draft } = await held.show(ask.id);
      setTimeout(() => held.prepare(nextOf(ask.id)));
      const first = await proposal.lines(
        { file: 0, from: 0, to: FIRST_BLOCKS * BLOCK_LINES, layout: ask.layout },
        undefined,
      );
      return { outline: proposal.outline(ask.layout), draft, first };
    }),
    outline: taking(z.strictObject({ label, layout }), async (ask) => ({
      outline: (await held.named(ask.label)).outline(ask.layout),
    })),
    lines: taking(
      z.strictObject({
        label,
        file: z.int().min(0),
        from: z.int().min(0),
        count: z.int().min(1).max(MAX_LINES),
        layout,
        colors: z.boolean(),
      }),
      async ({ count, colors, ...ask }) => {
        const part = { ...ask, to: ask.from + count };
        return { lines: await (await held.named(ask.label)).lines(part, colors ? colorist() : undefined) };
      },
    ),
    explain: taking(z.strictObject({ label }), async (ask) => ({ text: (await held.named(ask.label)).explain() })),
    find: taking(
      z.strictObject({ label, text: z.string().min(1).max(MAX_FIND_CHARS), layout, file: z.int(), line: z.int() }),
      async (ask) => ({ found: (await held.named(ask.label)).find(ask) }),
    ),
  };
  return new Map(Object.entries({ ...passedOn(reviewer), ...answers }));
}

/** What the reviewer answers as it is. */
const PASSED_ON = [
  ...(["keep", "apply", "reject", "images", "batch", "together", "rule", "grant"] as const),
  ...(["history", "undo", "record", "policy"] as const),
] satisfies readonly PageAskName[];

function passedOn(reviewer: ReviewerLine): Readonly<Record<string, Answer>> {
  return Object.fromEntries(
    PASSED_ON.map((name: PageAskName) => [
      name,
      async (body: unknown) => await reviewer.ask(name, PAGE_ASKS[name].parse(body)),
    ]),
  );
}

function taking<Shape extends z.ZodType>(shape: Shape, answer: (ask: z.output<Shape>) => Promise<object>): Answer {
  return async (body) => await answer(shape.parse(body));
}
