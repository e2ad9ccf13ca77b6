/**
 * Variables make a harmless program run something else: loaders, interpreters, pagers, editors, search paths. Any assignment
 * is asked about; these findings say why, and a command in the value is judged as one.
 */
import { EXPANDS_UNTOLD, ask, askOpaque, deny, type Assignment, type Finding } from "./model.ts";

export function judgeAssignment({ name, value }: Assignment): Finding {
  if (KEEPS_HISTORY.test(name)) return deny("it would hide traces");
  if (RUNS.test(name) && EXPANDS_UNTOLD.test(value))
    return askOpaque(`the variable ${name} names what runs, and its value is not known before`);
  if (RUNS_IN_SHELLS.test(name) && value !== "") return askOpaque(`every shell runs what ${name} says`);
  if (hidesCommand(value)) return askOpaque(`the value of ${name} has a command that may be evaluated`);
  if (STEERS.test(name)) return ask(`the variable ${name} makes programs load or run something else`, "R4");
  return ask(`it sets the variable ${name}${value === "" ? " to nothing" : ""}`);
}

/** What bash keeps of earlier commands, and where. */
export const KEEPS_HISTORY: RegExp = /^HIST(?:FILE|SIZE|FILESIZE|CONTROL|IGNORE)$/;

/** Their value is a file that is run or loaded, or a command. */
const RUNS =
  /^(?:ENV|BASH_ENV|PROMPT_COMMAND|PS[0-4]|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|LESSOPEN|GIT_(?:\w*EDITOR|PAGER|SSH\w*|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|NODE_OPTIONS|PYTHONSTARTUP|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS|BUN_OPTIONS)$/;

/** A file, and a command. Not `ENV`: it is a name of programs too, and only a shell at a terminal runs it. */
const RUNS_IN_SHELLS = /^(?:BASH_ENV|PROMPT_COMMAND)$/;

/** Arithmetic that names the variable, also in a program that gets it, runs what stands in brackets behind a name. */
function hidesCommand(value: string): boolean {
  const at = value.search(/\w\[/);
  return at >= 0 && /`|\$[({[]/.test(value.slice(at));
}

const STEERS =
  /^(?:PATH|CDPATH|IFS|ENV|SHELL|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS[0-4]|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|HOME|LANG|LC_\w+|TERMINFO|TZ|LESS\w*|LD_\w+|DYLD_\w+|BASH_\w+.*|GIT_\w+|BUN_\w+|NODE_\w+|NPM_\w+|npm_\w+|PYTHON\w+|PERL\w+|RUBY\w*|GEM_\w+|JAVA_\w+|JDK_\w+|_JAVA_OPTIONS|MAVEN_\w+|GRADLE_\w+|CARGO_\w+|RUST\w+|GO\w+|CC|CXX|CFLAGS|MAKEFLAGS|GREP_\w+|RIPGREP_\w+|FZF_\w+|TAR_OPTIONS|RSYNC_\w+|SSH_\w+|SUDO_\w+|DOCKER_\w+|KUBE\w+|AWS_\w+|GCONV_PATH|MALLOC_\w+|PHP\w*|LUA_\w+|R_\w+|DENO_\w+|OPENSSL_\w+|http_proxy|https_proxy|ALL_PROXY|HTTPS?_PROXY)$/;
