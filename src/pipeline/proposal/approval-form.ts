/**
 * The form about a proposal: its sheet, as `ringfence proposals show` prints it, and which of its files. Choosing among files needs
 * a list, which not all clients know.
 *
 * Invariant: a form that does not show all of it cannot apply it.
 */
import { labelOf } from "../../approval/index.ts";
import type { Config } from "../../config/index.ts";
import type { ProposalDetails } from "../../jobs/index.ts";
import { describeRule } from "../../policy/index.ts";
import { terminalCommand } from "../../text/index.ts";
import { REJECT, WAIT, hasLists, readForm, rememberChoice, type PersonForm, type Said } from "../form.ts";

export type Approval =
  | Exclude<Said, { readonly action: "accept" }>
  | { readonly action: "apply"; readonly remember: boolean; readonly files: readonly string[] | undefined };

/** Above it a list to choose from is of no use. */
const MAX_FILES = 50;
const REMEMBER = "apply_and_remember";

/** @param version of the protocol. @param config of the host */
export function approvalForm(proposal: ProposalDetails, version: string, config: Config): PersonForm {
  const files = choosable(proposal);
  if (proposal.pages > 1) return { message: cutMessage(proposal, config), choices: [WAIT, REJECT], fields: {} };
  const roots = config.roots.map(({ path }) => path);
  const rules = proposal.suggested_rules.map((rule) => describeRule(rule, roots));
  return {
    message: proposal.text.trimEnd(),
    choices: [["apply", "Apply"], ...rememberChoice(REMEMBER, rules), REJECT],
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
  if (said.decision === WAIT[0]) return { action: "wait" };
  const files = readFiles(said.content["files"], choosable(proposal));
  return files === "unreadable" ? { action: "wait" } : { action: "apply", remember: said.decision === REMEMBER, files };
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

/** A dialog can show one page. The way to see the rest stands first, because some clients show no more than three lines. */
function cutMessage(proposal: ProposalDetails, { ask, stateDir }: Config): string {
  const { id, text, pages } = proposal;
  const command = (...words: string[]): string => `\`${terminalCommand(["proposals", ...words], stateDir)}\``;
  const applies =
    ask === "client"
      ? "the program that runs this host can apply it (ringfence/proposals/apply)"
      : `${command("apply", labelOf(proposal))} applies it`;
  return [
    `A form cannot show all of it: ${command("show", id, "--full")} does.`,
    text.trimEnd(),
    `This is page 1 of ${pages}, so it cannot be applied here: ${applies}.`,
  ].join("\n");
}
