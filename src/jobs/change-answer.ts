/**
 * What a changing tool says: the summary, the diff of every file, warnings, and what happens next. The text ends with
 * the proposal's id, because that is what the next step needs.
 */
import type { ToolResult } from "../contract/index.ts";
import type { Sealed } from "../txn/index.ts";
import type { ProposalView } from "./proposal.ts";

export function proposedAnswer(sealed: Sealed, view: ProposalView): ToolResult {
  const next = `Nothing is written yet. A person, or the program that runs this host, decides before ${view.expiresAt}; you need not call again. Proposal ${view.id}`;
  return answer("proposed", `Proposed: ${sealed.summary}.`, sealed, next, { proposal: view.id });
}

export function appliedAnswer(sealed: Sealed, transaction: string): ToolResult {
  return answer("applied", `Applied: ${sealed.summary}.`, sealed, `Transaction ${transaction}`, {
    transaction,
  });
}

export function unchangedAnswer(sealed: Sealed): ToolResult {
  return answer("unchanged", "Nothing to change.", sealed, "", {});
}

function answer(status: string, head: string, sealed: Sealed, next: string, ids: object): ToolResult {
  const diffs = sealed.files.map((file) => file.diff ?? "").filter((diff) => diff !== "");
  const warnings = sealed.warnings.map((warning) => `Note: ${warning}`);
  const text = [head, ...warnings, ...diffs.map((diff) => diff.trimEnd()), next]
    .filter((part) => part !== "")
    .join("\n");
  const structured = {
    status,
    ...ids,
    summary: sealed.summary,
    warnings: sealed.warnings,
    files: sealed.files,
  };
  return { text, structured };
}
