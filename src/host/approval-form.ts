/**
 * The form about a proposed change: what would change, with the diff, and which of its files. Choosing among files needs a
 * list, which not all clients know.
 */
import type { ProposalDetails } from "../jobs/index.ts";
import { describeRule } from "../policy/index.ts";
import { truncateUtf8 } from "../text/index.ts";
import { hasLists, readForm, REJECT, rememberChoice, type PersonForm, type Said } from "./person-form.ts";

export type Approval =
  | Exclude<Said, { readonly action: "accept" }>
  | { readonly action: "apply"; readonly remember: boolean; readonly files: readonly string[] | undefined };

/** What a dialog can show at all; the proposal itself has everything. */
const MAX_MESSAGE_BYTES: number = 64 * 1024;
/** Above it a list to choose from is of no use. */
const MAX_FILES = 50;
const REMEMBER = "apply_and_remember";

/** @param version of the protocol. @param roots of the host */
export function approvalForm(
  proposal: ProposalDetails,
  version: string,
  roots: readonly string[],
): PersonForm {
  const files = choosable(proposal);
  const rules = proposal.suggested_rules.map((rule) => describeRule(rule, roots));
  return {
    message: messageOf(proposal),
    choices: [["apply", "Apply"], ...rememberChoice(REMEMBER, "Apply", rules), REJECT],
    fields:
      files.length < 2 || !hasLists(version)
        ? {}
        : {
            files: {
              type: "array",
              title: "Files",
              description: "The files to change; the others stay as they are",
              minItems: 1,
              items: { type: "string", enum: files },
              default: files,
            },
          },
  };
}

/** @param answer an `ElicitResult`, unchecked; `undefined` when none came */
export function readApproval(answer: unknown, form: PersonForm, proposal: ProposalDetails): Approval {
  const said = readForm(answer, form);
  if (said.action !== "accept") return said;
  const files = readFiles(said.content["files"], choosable(proposal));
  return files === "unreadable"
    ? { action: "wait" }
    : { action: "apply", remember: said.decision === REMEMBER, files };
}

/** `undefined` for all of them. An answer that does not fit the form must not be read as "all". */
function readFiles(files: unknown, known: readonly string[]): readonly string[] | undefined | "unreadable" {
  if (files === undefined) return undefined;
  if (!Array.isArray(files) || files.length === 0 || !files.every((one) => known.includes(one as string)))
    return "unreadable";
  return files.length === known.length ? undefined : (files as string[]);
}

function choosable({ files }: ProposalDetails): readonly string[] {
  const paths = [...new Set(files.map(({ path }) => path))];
  return paths.length > MAX_FILES ? [] : paths;
}

function messageOf({ summary, warnings, files, tool }: ProposalDetails): string {
  const diffs = files.map(({ diff }) => diff ?? "").filter((diff) => diff !== "");
  const notes = warnings.map((warning) => `Note: ${warning}`);
  const whole = [`${summary} (${tool})`, ...notes, "", ...diffs.map((diff) => diff.trimEnd())].join("\n");
  const { text, truncated } = truncateUtf8(whole.trimEnd(), MAX_MESSAGE_BYTES);
  return truncated ? `${text}\n[the rest of the diff is in the proposal]` : text;
}
