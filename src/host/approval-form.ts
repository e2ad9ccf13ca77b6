/**
 * The form that a person sees: what would change, with the diff, and what may be said to it. Flat, with plain fields, as
 * the protocol wants forms; choosing among files needs a list, which clients of 2025-06-18 do not know.
 */
import type { ProposalDetails } from "../jobs/index.ts";
import { truncateUtf8 } from "../text/index.ts";

/** What a person said. `wait`: nothing that decides. */
export type Approval =
  | { readonly action: "wait" }
  | { readonly action: "reject"; readonly reason: string | undefined }
  | { readonly action: "apply"; readonly remember: boolean; readonly files: readonly string[] | undefined };

/** What a dialog can show at all; the proposal itself has everything. */
const MAX_MESSAGE_BYTES: number = 64 * 1024;
/** Above it a list to choose from is of no use. */
const MAX_FILES = 50;

const DECISIONS: readonly (readonly [value: string, title: string])[] = [
  ["apply", "Apply"],
  ["apply_and_remember", "Apply, and apply further changes of this tool without asking until the host ends"],
  ["reject", "Reject"],
];

/** The params of `elicitation/create`. @param version of the protocol */
export function approvalForm(proposal: ProposalDetails, version: string): Readonly<Record<string, unknown>> {
  const isOld = version === "2025-06-18";
  const choices = DECISIONS.filter(([value]) => value !== "apply_and_remember" || proposal.risk === "R2");
  const files = choosable(proposal);
  const properties = {
    decision: {
      type: "string",
      title: "Decision",
      description: "What to do with this change",
      ...(isOld
        ? { enum: choices.map(([value]) => value), enumNames: choices.map(([, title]) => title) }
        : { oneOf: choices.map(([value, title]) => ({ const: value, title })), default: "apply" }),
    },
    ...(isOld || files.length < 2
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
        }),
    reason: {
      type: "string",
      title: "Reason",
      description: "For a rejection: why, so that the next attempt is a better one",
      maxLength: 1000,
    },
  };
  const form = {
    message: messageOf(proposal),
    requestedSchema: { type: "object", properties, required: ["decision"] },
  };
  return isOld ? form : { mode: "form", ...form };
}

/** @param answer an `ElicitResult`, unchecked; `undefined` when none came */
export function readApproval(answer: unknown, proposal: ProposalDetails): Approval {
  if (typeof answer !== "object" || answer === null) return { action: "wait" };
  const { action, content } = answer as { readonly action?: unknown; readonly content?: unknown };
  if (action === "decline") return { action: "reject", reason: undefined };
  if (action !== "accept" || typeof content !== "object" || content === null) return { action: "wait" };
  const { decision, reason, files } = content as Readonly<Record<string, unknown>>;
  if (decision === "reject")
    return { action: "reject", reason: typeof reason === "string" && reason !== "" ? reason : undefined };
  if (decision !== "apply" && decision !== "apply_and_remember") return { action: "wait" };
  const chosen = readFiles(files, choosable(proposal));
  return chosen === "unreadable"
    ? { action: "wait" }
    : { action: "apply", remember: decision === "apply_and_remember", files: chosen };
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
