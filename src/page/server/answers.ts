/**
 * What the page can ask, by the last part of its path: reading, keeping what is chosen, and the two decisions. There is
 * nothing here that starts a program, changes a mode or edits a configuration, and there must not be.
 */
import * as z from "zod";
import { PAGE_ASKS } from "../protocol.ts";
import type { Colorist } from "./color-texts.ts";
import type { ReviewerLine } from "./reviewer-line.ts";
import { ShownProposal } from "./shown-proposal.ts";

const layout = z.enum(["unified", "split"]);
const label = z.string().min(1).max(200);
/** A page asks for what comes on the screen next. */
const MAX_LINES = 2000;
/** Proposals whose lines are at hand. */
const MAX_SHOWN = 6;
const MAX_FIND_CHARS = 1000;

export interface PageWorld {
  readonly reviewer: ReviewerLine;
  readonly colorist: () => Colorist;
}

/** @throws ZodError, Failure */
type Answer = (body: unknown) => Promise<object>;

export function createAnswers({ reviewer, colorist }: PageWorld): ReadonlyMap<string, Answer> {
  const shown = new Map<string, ShownProposal>();
  const keep = (proposal: ShownProposal): ShownProposal => {
    const { label: name } = proposal.review;
    shown.delete(name);
    shown.set(name, proposal);
    for (const oldest of [...shown.keys()].slice(0, -MAX_SHOWN)) shown.delete(oldest);
    return proposal;
  };
  const known = async (name: string): Promise<ShownProposal> =>
    keep(shown.get(name) ?? new ShownProposal((await reviewer.ask("load", { id: name })).review));
  const answers: Readonly<Record<string, Answer>> = {
    show: taking(z.strictObject({ id: label, layout }), async (ask) => {
      const { review, draft } = await reviewer.ask("load", { id: ask.id });
      return { outline: keep(new ShownProposal(review)).outline(ask.layout), draft };
    }),
    outline: taking(z.strictObject({ label, layout }), async (ask) => ({
      outline: (await known(ask.label)).outline(ask.layout),
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
        return { lines: await (await known(ask.label)).lines(part, colors ? colorist() : undefined) };
      },
    ),
    sheet: taking(z.strictObject({ label }), async (ask) => ({ text: (await known(ask.label)).review.text })),
    find: taking(
      z.strictObject({ label, text: z.string().min(1).max(MAX_FIND_CHARS), layout, file: z.int(), line: z.int() }),
      async (ask) => ({ found: (await known(ask.label)).find(ask) }),
    ),
    keep: taking(PAGE_ASKS.keep, async (ask) => await reviewer.ask("keep", ask)),
    apply: taking(PAGE_ASKS.apply, async (ask) => await reviewer.ask("apply", ask)),
    reject: taking(PAGE_ASKS.reject, async (ask) => await reviewer.ask("reject", ask)),
    history: taking(PAGE_ASKS.history, async (ask) => await reviewer.ask("history", ask)),
    undo: taking(PAGE_ASKS.undo, async (ask) => await reviewer.ask("undo", ask)),
    record: taking(PAGE_ASKS.record, async (ask) => await reviewer.ask("record", ask)),
    policy: taking(PAGE_ASKS.policy, async (ask) => await reviewer.ask("policy", ask)),
  };
  return new Map(Object.entries(answers));
}

function taking<Shape extends z.ZodType>(shape: Shape, answer: (ask: z.output<Shape>) => Promise<object>): Answer {
  return async (body) => await answer(shape.parse(body));
}
