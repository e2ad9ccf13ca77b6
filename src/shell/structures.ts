/**
 * The constructs of bash that are read, but never run unasked: what they do depends on more than the words of the
 * simple commands in them. By the grammar's name of the node.
 */
import { ask, askOpaque, type Finding } from "./judgement.ts";

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
