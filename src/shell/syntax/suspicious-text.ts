/**
 * What can be said of a command line before its commands are judged: characters that hide something from the person who
 * looks at it or that other readers take in another way, and constructs of bash that never run unasked, because what they do
 * depends on more than the words of the simple commands in them.
 */
import { ask, askOpaque, deny, type Finding } from "../model/judgement.ts";

/** Nobody can read more; the kernel's limit for one argument is twice as much. */
const MAX_LENGTH = 65_536;
/** A person is asked about a longer list as a whole: what stands at its end is easily missed. */
export const MAX_COMMANDS = 40;
/** Nobody writes this many by hand, and what is compared with what would grow without end. */
export const MAX_READ_COMMANDS = 1000;

export function findSuspicious(text: string): Finding[] {
  const findings: Finding[] = [];
  if (text.trim() === "") findings.push(askOpaque("there is nothing to run"));
  if (text.length > MAX_LENGTH) findings.push(deny("it would run a line that is too long to be read"));
  if (text.includes("\0")) findings.push(askOpaque("it has a NUL, behind which some programs see nothing"));
  if (CONTROLS.test(text)) findings.push(askOpaque("it has characters that command a terminal"));
  if (INVISIBLE.test(text) || !text.isWellFormed())
    findings.push(askOpaque("it has characters that cannot be seen or that reorder the line"));
  if (/[ \t]{32}/.test(text) || /\n{16}/.test(text))
    findings.push(askOpaque("it has a run of blanks that may push a part out of view"));
  return findings;
}

const CONTROLS = /[\u0001-\u0008\u000b-\u001f\u007f-\u009f]/;
/** Marks of direction, joiners, fillers, tags, and blanks that are none to bash (Unicode TR #36, CVE-2021-42574). */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\p{Cf}|(?! )\p{Z}/u;

/** By the grammar's name of the node. */
export const STRUCTURES: Readonly<Record<string, Finding>> = {
  ERROR: askOpaque("it is not bash that can be read"),
  subshell: ask("it runs commands in a subshell"),
  compound_statement: ask("it has a group or an arithmetic command"),
  negated_command: ask("it negates a command"),
  test_command: ask("it has a test in brackets, which may evaluate its words"),
  if_statement: ask("it has a condition"),
  while_statement: ask("it has a loop"),
  for_statement: ask("it has a loop"),
  c_style_for_statement: ask("it has a loop"),
  case_statement: ask("it has a case"),
  function_definition: ask("it defines a function, which may take the name of a known program"),
  variable_assignment: ask("it sets a variable"),
  variable_assignments: ask("it sets variables"),
  declaration_command: ask("it declares variables, which later commands see"),
  unset_command: ask("it unsets variables"),
  command_substitution: ask("it puts the output of a command into another"),
  process_substitution: ask("it gives the output of a command as a file"),
  arithmetic_expansion: ask("it has an arithmetic expansion, which evaluates its words"),
  herestring_redirect: ask("it has a here-string"),
  heredoc_redirect: ask("it has a here-document"),
  file_redirect: ask("it redirects"),
  comment: ask("it has a comment"),
  "&": ask("it runs a command in the background"),
  $: ask("it has a translated string or a lone $"),
};
