/**
 * No text in the sources that names a command, a tool or an argument as the next step is left out of the tests that obey them,
 * and none of those tests is about a text that is gone.
 */
import { expect, test } from "bun:test";
import { CHANGE_HINTS } from "./change-hints.ts";
import { COMMAND_HINTS } from "./command-hints.ts";
import { findCallHints, findCommandHints } from "./hints-in-source.ts";
import { READ_HINTS } from "./read-hints.ts";
import { SEARCH_HINTS } from "./search-hints.ts";
import { UPSTREAM_HINTS } from "./upstream-hints.ts";

/** Texts that are found by their words and are no next step, or one that no test can be told; each with why. */
const LEFT_OUT: readonly (readonly [text: string, why: string])[] = [
  ["read_file read Read file.read read_text_file", "a list of names"],
  ["![${state.safe(node.alt", "an image of a page in Markdown"],
  ["content old_text new_text edits patch replacement expect dry_run if_hash if_hashes", "a list of names"],
  ['Rules look like {"deny": "write_file(generated/**)"', "an example of a rule"],
  ["the agent learns of it by await_review", "it says to a person what the agent does"],
  ["await_review waits for the decision", "it takes a reviewer; test/pipeline/review-wait.test.ts has it"],
  ["A mounted file can be changed in place only", "it takes a mount; test/scope/scope-failure.test.ts has it"],
  [
    'or pass sort: "name"',
    "a search whose time is over, which ends where the clock wants; test/search/glob.test.ts has it",
  ],
  [
    "Nothing can be reached until it opens a directory",
    "it takes a client with roots of its own; test/host/narrowed-roots.test.ts has it",
  ],
  ["Use a smaller offset.", "it takes the pack memory; test/memory/note-pages.test.ts has it"],
  ["Use read_file for a file that is no picture", "it takes the pack media; test/packs/media has it"],
  ["Background commands at once, which process_start begins", "it says what a key is for"],
  ["process_start is for what goes on", "it says what a tool is for"],
  ["Programs that process_start may start", "it says what a key is for"],
  ...[
    "(dry run — pass dry_run: false to apply)",
    "without the line-number prefixes that read_file shows",
    "call again with offset=${next} for more",
    "lines shown; continue with offset=${next}",
    'errorCodeOf(failure, "read_files")',
    "lines shown; use read_file for the rest",
    "call read_files with fewer paths",
    "entries shown; find the others with glob",
    "read_file with path=${spill.id} shows all of it",
    "more output buffered; continue with offset=${next}",
  ].map((text) => [text, "the form of Clarvis, whose tests take its steps; test/systems/c has them"] as const),
  ...[
    "An audit id looks like",
    "ringfence audit verify says what is wrong with the record",
    "ringfence audit key prints the one of a record",
    "They print it with ringfence audit key",
  ].map((text) => [text, "the commands about receipts; test/cli/sessions.test.ts has them"] as const),
  ...['["spaces", "review", ...hostFlags(', "terminalCommand(words, "].map(
    (text) => [text, "the commands about spaces; test/cli/spaces.test.ts has them"] as const,
  ),
  ["Its own tools are turned off at each start", "an argument of another program"],
  [
    'terminalCommand(["grants", "add", rule',
    "the command behind a suggested rule; test/cli/rules.test.ts has the rule",
  ],
  [
    'terminalCommand(["grants", "revoke", ...ids]',
    "the command that takes back grants; test/cli/manners/lint-grants.test.ts has it",
  ],
  ["grantCommand(config, rule)", "the command behind an ask of a hook; test/cli/guard.test.ts has it"],
  ["`ringfence tools --all` lists them", "a rule with a slip in it, at a terminal; test/cli/grants.test.ts obeys it"],
  ["Notices of ringfence proposals that wait for you", "a file for systemd"],
  ["does not start ringfence serve", "it says what is wrong; test/cli/init.test.ts has the command that mends it"],
  ["system_info names the hosts that are", "it takes a pack with a network; test/packs/web/web-bounds.test.ts has it"],
  ["`ringfence tools --all` lists all tools", "the command for a tool that there is not; test/cli/call.test.ts has it"],
  [
    'terminalCommand(["proposals", "apply", labelOf(details)]',
    "the command behind a proposal that was not shown; test/cli/proposals.test.ts has it",
  ],
  ["diffs from old to new, from old to now", "it says what a method answers"],
  ["`ringfence check` does not name it then", "it says what a key is for"],
  ["name the proposal: ringfence proposals ${action}", "the usage of the command that was typed"],
  ["name what was shown: ringfence upstream approve NAME@HASH", "the usage of the command that was typed"],
];

test("every hint with a call is obeyed by a test", () => {
  const rows = [...CHANGE_HINTS, ...READ_HINTS, ...SEARCH_HINTS];
  const hints = findCallHints();
  const isObeyed = (text: string): boolean =>
    rows.some(({ says, from = [] }) => text.includes(says) || from.includes(text));
  expect(hints.filter(({ text }) => !isObeyed(text) && !isLeftOut(text))).toEqual([]);
  const isThere = (part: string): boolean => hints.some(({ text }) => text.includes(part));
  expect(rows.flatMap(({ says, from = [says] }) => from).filter((part) => !isThere(part))).toEqual([]);
});

test("every hint with a command is run by a test", () => {
  const rows = [...COMMAND_HINTS, ...UPSTREAM_HINTS].flatMap(({ from }) => from);
  const hints = findCommandHints();
  const isRun = ({ at, text }: { at: string; text: string }): boolean =>
    rows.some(([path, part]) => at.startsWith(`${path}:`) && text.includes(part));
  expect(hints.filter((hint) => !isRun(hint) && !isLeftOut(hint.text))).toEqual([]);
  const isThere = ([path, part]: readonly [string, string]): boolean =>
    hints.some(({ at, text }) => at.startsWith(`${path}:`) && text.includes(part));
  expect(rows.filter((row) => !isThere(row))).toEqual([]);
});

test("what is left out is there", () => {
  const texts = [...findCallHints(), ...findCommandHints()].map(({ text }) => text);
  expect(LEFT_OUT.filter(([part]) => !texts.some((text) => text.includes(part)))).toEqual([]);
});

function isLeftOut(text: string): boolean {
  return LEFT_OUT.some(([part]) => text.includes(part));
}
