/**
 * Holds a commit message to CONTRIBUTING.md: a subject of at most 72 characters in the form `area: imperative`, and a body
 * from 50 changed lines on. Merges and what git writes itself (`fixup!`, `Revert "..."`) are left alone.
 *
 * Usual mistake: to expect grammar of it. It knows the words that a subject in another form usually begins with, no verbs.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const MAX_SUBJECT_CHARACTERS = 72;
const LINES_THAT_NEED_A_BODY = 50;
const FORM = /^[a-z][a-z0-9-]*(?:[,/] ?[a-z][a-z0-9-]*)*: (?<word>[a-z][\w-]*)(?: \S|$)/;
/** Articles, pronouns and question words, and verbs in other forms than the imperative. */
const NO_IMPERATIVE =
  /^(?:an?|the|it|its|this|that|these|those|what|when|where|which|who|how|no|not|nothing|nobody|every|each|all|some|one|there|is|are|was|were|has|had|can|may|must)$|(?<!e|emb|sh)ed$|(?<!^br|^str|^p|^r|^s|^spr|^sw|^cl)ing$|(?<!s|u|os|as)s$/;

const problem = problemOf(readMessage(process.argv[2] ?? ""));
if (problem !== undefined) {
  console.error(`commit-msg: ${problem}`);
  console.error(
    "The message is kept: git commit -e -F .git/COMMIT_EDITMSG (in a worktree: git rev-parse --git-path COMMIT_EDITMSG).",
  );
  process.exit(1);
}

function readMessage(path) {
  const [text = ""] = readFileSync(path, "utf8").split(/^# -+ >8 -+$/m);
  return (
    text
      .split("\n")
      // A line that git or a tool has added says nothing about why.
      .filter((line) => !line.startsWith("#") && !/^(?:Signed-off|Co-authored|Reviewed)-by: /i.test(line))
      .join("\n")
      .trim()
  );
}

function problemOf(message) {
  const [subject = "", ...rest] = message.split("\n");
  if (isMerge() || /^(?:fixup|squash|amend)! |^Revert "/.test(subject)) return undefined;
  const length = [...subject].length;
  if (length > MAX_SUBJECT_CHARACTERS)
    return `the subject has ${length} characters; at most ${MAX_SUBJECT_CHARACTERS} are shown everywhere`;
  const word = FORM.exec(subject)?.groups?.word;
  if (word === undefined || NO_IMPERATIVE.test(word))
    return "the subject is not `area: imperative`, as in `search: skip directories that cannot be read`";
  if (rest[0] !== undefined && rest[0].trim() !== "") return "an empty line belongs between subject and body";
  const lines = changedLines();
  if (rest.length > 1 || lines < LINES_THAT_NEED_A_BODY) return undefined;
  return `${lines} changed lines need a body that says why, after an empty line`;
}

function isMerge() {
  return git("rev-parse", "--quiet", "--verify", "MERGE_HEAD") !== "";
}

/** A moved file counts for the lines that differ, a binary file for none. */
function changedLines() {
  const counts = git("diff", "--cached", "--numstat", "-M").matchAll(/^(\d+)\t(\d+)\t/gm);
  return [...counts].reduce((sum, [, added, removed]) => sum + Number(added) + Number(removed), 0);
}

function git(...args) {
  const { stdout } = spawnSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  return stdout ?? "";
}
