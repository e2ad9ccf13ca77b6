/**
 * The environment of a started program: a few variables that describe the machine, what the declaration names, and
 * nothing else of the host's own. Variables that make a program load code or run another one are taken out whoever named
 * them.
 *
 * A shell line that was read as one that only reads is held to more. The reader judged the names of programs, so what a name
 * means must be the same when the line runs: the variables that steer look-up are those of every line, and read-only before
 * its first word. That costs no process: bash still becomes the last program of the line. Usual mistake: to hold other lines
 * to it too. A person who approves `PATH=$PATH:bin make` means it.
 */
import type { ShellSettings } from "../declaration.ts";
import type { ShellRequest } from "../launcher-protocol.ts";

/** Variables of the host that are passed on as they are. */
const ALLOWED: readonly string[] = ["PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "USER", "LOGNAME"];

/** Loaders, runtimes, pagers, editors and the helpers of git. */
const STEERING =
  /^(?:BUN_|LD_|DYLD_|MIMALLOC_|MALLOC_|GLIBC_|PERL5?(?:OPT|LIB|DB)|PYTHON(?:STARTUP|PATH|HOME|INSPECT|BREAKPOINT)|RUBY(?:OPT|LIB)|NODE_(?:OPTIONS|PATH|EXTRA_CA_CERTS|V8_COVERAGE|REPL_EXTERNAL_MODULE)|NPM_CONFIG_(?:SCRIPT_SHELL|NODE_OPTIONS)|_?JAVA_(?:TOOL_)?OPTIONS|JDK_JAVA_OPTIONS|BASH_ENV|BASH_FUNC|BASH_LOADABLES_PATH|CDPATH|EXECIGNORE|GLOBIGNORE|LOCPATH|NLSPATH|TAR_OPTIONS|GREP_OPTIONS|ENV|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|IFS|LESSOPEN|LESSCLOSE|RIPGREP_CONFIG_PATH|RUSTC_WRAPPER|CARGO_BUILD_RUSTC_WRAPPER|GOFLAGS|GCONV_PATH|RES_OPTIONS|HOSTALIASES|RINGFENCE_)/i;
/** Declared ones may be set: to switch hooks and pagers off takes such variables. Of the host they are never taken. */
const HELPERS = /^(?:GIT_|SSH_|PAGER$|EDITOR$|VISUAL$|BROWSER$|MANPAGER$)/i;
const SECRETS = /(?:TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY|AUTH)/i;

export interface EnvironmentPlan {
  /** The host's environment, already without variables that steer its own runtime. */
  readonly host: Readonly<Record<string, string>>;
  /** Without the places that tools can write. */
  readonly path: string;
  readonly temporary: string;
  readonly home: string;
  readonly cwd: string;
  readonly declared: Readonly<Record<string, string>>;
  readonly inherit: readonly string[];
}

export function isSecretName(name: string): boolean {
  return SECRETS.test(name);
}

export function childEnvironment(plan: EnvironmentPlan): Record<string, string> {
  const taken = [...ALLOWED, ...plan.inherit].flatMap((name): [string, string][] => {
    const value = plan.host[name];
    const isMeant = plan.inherit.includes(name) || !SECRETS.test(name);
    return value === undefined || HELPERS.test(name) || !isMeant ? [] : [[name, value]];
  });
  const own = {
    ...Object.fromEntries(taken),
    PATH: plan.path,
    HOME: plan.home,
    TMPDIR: plan.temporary,
    PWD: plan.cwd,
    // Nobody looks at it: no colours, no pages, no questions.
    TERM: "dumb",
    NO_COLOR: "1",
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    ...plan.declared,
  };
  return Object.fromEntries(Object.entries(own).filter(([name]) => !STEERING.test(name)));
}

/** What may differ: how text and time are shown. */
const SHOWS = /^(?:LANG|LANGUAGE|LC_\w+|TZ|TERM|NO_COLOR|COLUMNS|LINES)$/;

/** Variables of bash, of the loader, and of the programs that only read. Their values, and their absence, stay as they are. */
const FIXED: string = [
  "PATH IFS ENV BASH_ENV BASH_LOADABLES_PATH CDPATH EXECIGNORE GLOBIGNORE FIGNORE HOME SHELL TMPDIR PROMPT_COMMAND PS4",
  "LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT GCONV_PATH LOCPATH NLSPATH PAGER MANPAGER EDITOR VISUAL BROWSER LESSOPEN LESSCLOSE",
  "GREP_OPTIONS RIPGREP_CONFIG_PATH TAR_OPTIONS MAGIC TERMINFO GIT_DIR GIT_COMMON_DIR GIT_WORK_TREE GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM GIT_CONFIG_NOSYSTEM GIT_OPTIONAL_LOCKS GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_CONFIG_PARAMETERS",
  "GIT_CONFIG_COUNT GIT_EXEC_PATH GIT_EXTERNAL_DIFF GIT_PAGER GIT_EDITOR GIT_SSH GIT_SSH_COMMAND",
].join(" ");

/** The names are fixed on the line itself, so that the numbers of lines in messages stay right. */
export function fixedLine({ command, fixed }: Pick<ShellRequest, "command" | "fixed">): string {
  return fixed === true ? `readonly ${FIXED}; ${command}` : command;
}

/** Without the variables that the configuration adds for other lines. */
export function fixedSettings({ environment = {}, inherit = [], ...settings }: ShellSettings): ShellSettings {
  const shown = Object.entries(environment).filter(([name]) => SHOWS.test(name));
  return { ...settings, environment: Object.fromEntries(shown), inherit: inherit.filter((name) => SHOWS.test(name)) };
}
