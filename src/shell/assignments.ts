/**
 * Variables that make a harmless program run something else: loaders, interpreters, pagers, editors, search paths. Any
 * assignment is asked about; these say why, and a command in the value is judged as one.
 */
import { ask, askOpaque, deny, type Finding } from "./judgement.ts";
import { UNKNOWN, type Assignment } from "./parts.ts";

export function judgeAssignment({ name, value }: Assignment): Finding[] {
  if (/^HIST(?:FILE|SIZE|FILESIZE)$/.test(name)) return [deny("it would hide traces")];
  if (RUNS.test(name) && value.includes(UNKNOWN))
    return [askOpaque(`the variable ${name} names what runs, and its value is not known before`)];
  if (STEERS.test(name)) return [ask(`the variable ${name} makes programs load or run something else`, "R4")];
  return [ask(`it sets the variable ${name}${value === "" ? " to nothing" : ""}`)];
}

/** Their value is a file that is run or loaded, or a command. */
const RUNS =
  /^(?:ENV|BASH_ENV|PROMPT_COMMAND|PS[04]|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|LESSOPEN|GIT_(?:\w*EDITOR|PAGER|SSH\w*|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|NODE_OPTIONS|PYTHONSTARTUP|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS|BUN_OPTIONS)$/;

const STEERS =
  /^(?:PATH|CDPATH|IFS|ENV|SHELL|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS[0-4]|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|HOME|LANG|LC_\w+|TERMINFO|TZ|LESS\w*|LD_\w+|DYLD_\w+|BASH_\w+.*|GIT_\w+|BUN_\w+|NODE_\w+|NPM_\w+|npm_\w+|PYTHON\w+|PERL\w+|RUBY\w*|GEM_\w+|JAVA_\w+|JDK_\w+|_JAVA_OPTIONS|MAVEN_\w+|GRADLE_\w+|CARGO_\w+|RUST\w+|GO\w+|CC|CXX|CFLAGS|MAKEFLAGS|GREP_\w+|RIPGREP_\w+|FZF_\w+|TAR_OPTIONS|RSYNC_\w+|SSH_\w+|SUDO_\w+|DOCKER_\w+|KUBE\w+|AWS_\w+|GCONV_PATH|MALLOC_\w+|PHP\w*|LUA_\w+|R_\w+|DENO_\w+|OPENSSL_\w+|http_proxy|https_proxy|ALL_PROXY|HTTPS?_PROXY)$/;
