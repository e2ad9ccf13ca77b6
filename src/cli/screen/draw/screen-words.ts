/**
 * The fixed words of the screen: the keys, and why a person is asked about a proposal.
 */
import type { ProposalReview } from "../../../review/index.ts";
import { escapeLine } from "../../../text/index.ts";

export const HELP_LINES: readonly string[] = [
  "j k, arrows    line by line               PgUp PgDn   page by page",
  "] [            next, previous hunk        } {         next, previous proposal",
  "Home End       begin, end                 / N         find, find on",
  "space          part in or out: the file, hunk or place that you are at",
  "s              split a hunk into its places of change, and join it again",
  "Enter          open or fold a file        v           the file counts as seen",
  "c              comment on the line, file or proposal that you are at",
  "V              begin a range for a comment; d takes a comment back",
  "w              wrap long lines, or not    left right  sideways",
  "+ -            more or fewer lines around the hunks of the file",
  "W              the whole file             b           every blank as a sign",
  "f              only proposals with some words in the list",
  "",
  "y              apply what is in; a call: allow it once",
  "n              reject it, and say why",
  "A              apply all of this client and session that is ordinary and seen",
  "e              edit it in $EDITOR: a new proposal, yours",
  "o              open the file in $EDITOR",
  "g              always: the exact rule, for how long, and what it would have allowed",
  "x              why you are asked          t           a stale proposal: old, new and now",
  "u              undo what was applied here last",
  "H              the history",
  "q              leave; nothing is decided, and your choices are kept",
  "",
  "Escape and Enter decide nothing. A key that decides is ignored for 400 ms after",
  "something changed, and whenever it comes together with other keys.",
];

const RISKS: Readonly<Record<string, string>> = {
  R0: "only facts about files",
  R1: "it reads inside the roots",
  R2: "an ordinary change inside the roots",
  R3: "it runs a program",
  R4: "it deletes, or touches hidden, lock or configuration files, or reaches others",
  R5: "never allowed",
};

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

/** A mode asks where no rule is about the call; a rule is named with the place where it stands. */
function askedBy({ rule, source }: { readonly rule: string; readonly source: string }): string {
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
