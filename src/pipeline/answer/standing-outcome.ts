/**
 * The answer about a change that was made, or a proposal that was stored, where there is no room for all of it: that it is so,
 * under which id, and how to look at it or take it back. Whoever reads a failure, or no id, tries again.
 *
 * Invariant: no bound makes a failure of what stands. These few lines are given even where they are too many.
 */
import { parseLabel } from "../../approval/index.ts";
import { resultMembers } from "../../contract/index.ts";
import { FAILURE_KEY, type Outcome, type StandingChange } from "../../mcp/index.ts";
import { countLines, terminalCommand } from "../../text/index.ts";
import type { Services } from "../services.ts";

interface Members {
  readonly content?: readonly Block[];
  readonly structuredContent?: unknown;
}

type Block = Readonly<Record<string, unknown>> & { readonly type: string; readonly text?: string };

/** @param bounded the same outcome, as far as it could be cut to what there is room for */
export function standingOutcome(host: Services, whole: Outcome, bounded: Outcome): Outcome {
  const { stands } = whole;
  if (!stands || isTold(host, whole, bounded, stands)) return bounded;
  const short = shortResult(host, whole, stands);
  const members = resultMembers(short, host.config.results);
  const link = linkIn(bounded);
  const linked = link && resultMembers({ ...short, links: [link] }, host.config.results);
  const isLinked = linked !== undefined && Buffer.byteLength(linked) <= host.policy.budget.callBytes;
  return { ...whole, members: isLinked ? linked : members, isCut: true, ref: bounded.ref ?? whole.ref };
}

/** What was cut must name the id still, which stands at the end of the text. */
function isTold(
  host: Services,
  whole: Outcome,
  { members, meta }: Outcome,
  { transaction, proposal }: StandingChange,
): boolean {
  const { callBytes, callLines } = host.policy.budget;
  if (meta?.[FAILURE_KEY] !== undefined || Buffer.byteLength(members) > callBytes) return false;
  if (callLines !== Infinity && linesOf(members) > callLines) return false;
  return members === whole.members || members.includes(transaction ?? proposal ?? "");
}

/** The lines of its text, which is read for it. */
export function linesOf(members: string): number {
  return countLines(lastTextOf(members));
}

function lastTextOf(members: string): string {
  return contentOf(members).findLast(({ text }) => text !== undefined)?.text ?? "";
}

function contentOf(members: string): readonly Block[] {
  return (JSON.parse(`{${members}}`) as Members).content ?? [];
}

function linkIn({ members }: Outcome): Block | undefined {
  return contentOf(members).findLast(({ type }) => type === "resource_link");
}

type ShortResult = Parameters<typeof resultMembers>[0];

function shortResult({ config }: Services, { members }: Outcome, stands: StandingChange): ShortResult {
  const { status, transaction, proposal } = stands;
  const command = (...words: string[]): string => `\`${terminalCommand(words, config.stateDir)}\``;
  const head = headOf(members, status);
  if (proposal !== undefined) {
    const { id, digest } = parseLabel(proposal);
    const next = `Nothing is written yet, and you need not call again. ${command("proposals", "show", id)} shows all of it.`;
    return {
      text: [head, `${LEFT_OUT} ${next}`, `Proposal ${proposal}`].join("\n"),
      structured: { status, proposal: id, digest, files: [], truncated: true },
    };
  }
  const undo = transaction === undefined ? "" : ` ${command("undo", transaction)} takes it back.`;
  return {
    text: [head, `${LEFT_OUT} Do not make the call again.${undo}`, ...idLine(transaction)].join("\n"),
    structured: { status, ...(transaction === undefined ? {} : { transaction }), files: [], truncated: true },
  };
}

const LEFT_OUT = "The rest of this answer is longer than one may be here.";

function idLine(transaction: string | undefined): string[] {
  return transaction === undefined ? [] : [`Transaction ${transaction}`];
}

/** Longer than a summary usually is. */
const MAX_HEAD_CHARS = 200;

/** The first line of an answer of ours says what was done, in a summary; any other answer is somebody else's words. */
function headOf(members: string, status: StandingChange["status"]): string {
  const word = status === "applied" ? "Applied" : "Proposed";
  const [line = ""] = lastTextOf(members).split("\n", 1);
  return line.startsWith(`${word}: `) && line.length <= MAX_HEAD_CHARS ? line : `${word}.`;
}
