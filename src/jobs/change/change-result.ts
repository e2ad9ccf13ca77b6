/**
 * The result of a job that made a change: the answer to the caller, and beside it what the host keeps of it and puts on record.
 */
import { operationLine } from "../../approval/index.ts";
import { resultMembers } from "../../contract/index.ts";
import { ResultText } from "../../pool/index.ts";
import type { AnswerToKeep, PreparedChanges } from "../../txn/index.ts";
import { appliedAnswer } from "./change-answer.ts";
import type { ChangeBench } from "./change-bench.ts";
import type { ChangeFacts, Repeat } from "../proposal/proposal.ts";

export function appliedResult(
  sealed: PreparedChanges,
  transaction: string,
  results: "text" | "structured",
  { config, redactor }: Pick<ChangeBench, "config" | "redactor">,
): ResultText<ChangeFacts> {
  return new ResultText(
    resultMembers(appliedAnswer(sealed, transaction, config), results, redactor),
    factsOf("applied", sealed, { transaction }),
  );
}

/** What a repeat of the call is answered with. */
export function answerFor({ key, digest, results }: Repeat, bench: ChangeBench) {
  return (transaction: string, sealed: PreparedChanges): AnswerToKeep => {
    const { text, factsText } = appliedResult(sealed, transaction, results, bench);
    return { key, digest, payload: text, facts: factsText };
  };
}

export function factsOf(
  status: ChangeFacts["status"],
  { files }: Pick<PreparedChanges, "files">,
  more: object = {},
): string {
  const changed = files.map(({ absolute, operation, hash, added, removed }) => ({
    path: absolute,
    operation,
    added,
    removed,
    ...(hash === undefined ? {} : { hash }),
  }));
  const operations = files.map((file) => operationLine(file, "full"));
  return JSON.stringify({ status, files: changed, operations, ...more });
}
