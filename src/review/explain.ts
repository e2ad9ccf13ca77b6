/**
 * Why a person is asked about a proposal, in words: for the terminal and the page.
 */
import { escapeLine } from "../text/index.ts";
import type { ProposalWhy } from "../calls/index.ts";
import type { ProposalReview } from "./load-review.ts";

const RISKS: Readonly<Record<string, string>> = {
  R0: "only facts about files",
  R1: "it reads inside the roots",
  R2: "an ordinary change inside the roots",
  R3: "it runs a program",
  R4: "it deletes, or touches hidden, lock or configuration files, or reaches others",
  R5: "never allowed",
};

/** All that is known of it, a line each. */
export function explainLines({ tool, risk, why, client, session, id, label }: ProposalReview): readonly string[] {
  const rules = why?.suggested_rules ?? [];
  return [
    `Tool       ${tool}`,
    `Risk       ${risk}: ${RISKS[risk] ?? "unknown"}`,
    `Client     ${client === undefined ? "has no name" : `${client} (as it calls itself)`}`,
    `Session    ${session ?? "is not known"}`,
    ...(why
      ? [`Asked by   ${askedBy(why)}`, `Because    ${why.reason}`]
      : ["The host that made it did not say why it asks."]),
    ...(rules.length === 0 ? ["No rule would settle it: it is asked about each time."] : []),
    ...rules.map((rule) => `Settled by ${rule}`),
    `Proposal   ${id}`,
    `You see    ${label}`,
  ].map(escapeLine);
}

/** In one line: `the mode default (no rule is about this call): changes are proposed first`. Empty when the host that made it did not say. */
export function whyInWords(why: ProposalWhy | undefined): string {
  return why === undefined ? "" : `${askedBy(why)}: ${why.reason}`;
}

/** A mode asks where no rule is about the call; a rule is named with the place where it stands. */
function askedBy({ rule, source }: Pick<ProposalWhy, "rule" | "source">): string {
  switch (source) {
    case "mode":
      return `the mode ${rule} (no rule is about this call)`;
    case "tool":
      return "the tool itself, whatever rules allow";
    case "hooks":
      return `a hook of ${rule}`;
    case "shell":
      return "what the command line says";
    case "guard":
      return "the program that ringfence runs in";
    default:
      return `the rule ${rule} (${source})`;
  }
}
