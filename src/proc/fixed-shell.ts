/**
 * How bash is started for a line that was read as one that only reads. The reader judged the names of programs, so what a
 * name means must be the same when the line runs: the variables that steer look-up are those of every line, and read-only
 * before its first word. That costs no process: bash still becomes the last program of the line.
 *
 * Usual mistake: to hold other lines to it too. A person who approves `PATH=$PATH:bin make` means it.
 */
import type { ShellSettings } from "./declaration.ts";

/** What may differ: how text and time are shown. */
const SHOWS = /^(?:LANG|LANGUAGE|LC_\w+|TZ|TERM|NO_COLOR|COLUMNS|LINES)$/;

/** Variables of bash, of the loader, and of the programs that only read. Their values, and their absence, stay as they are. */
const FIXED: readonly string[] = [
  "PATH",
  "IFS",
  "ENV",
  "BASH_ENV",
  "BASH_LOADABLES_PATH",
  "CDPATH",
  "EXECIGNORE",
  "GLOBIGNORE",
  "FIGNORE",
  "HOME",
  "SHELL",
  "TMPDIR",
  "PROMPT_COMMAND",
  "PS4",
  "LD_PRELOAD",
  "LD_LIBRARY_PATH",
  "LD_AUDIT",
  "GCONV_PATH",
  "LOCPATH",
  "NLSPATH",
  "PAGER",
  "MANPAGER",
  "EDITOR",
  "VISUAL",
  "BROWSER",
  "LESSOPEN",
  "LESSCLOSE",
  "GREP_OPTIONS",
  "RIPGREP_CONFIG_PATH",
  "TAR_OPTIONS",
  "MAGIC",
  "TERMINFO",
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_COUNT",
  "GIT_EXEC_PATH",
  "GIT_EXTERNAL_DIFF",
  "GIT_PAGER",
  "GIT_EDITOR",
  "GIT_SSH",
  "GIT_SSH_COMMAND",
];

/** On the line itself, so that the numbers of lines in messages stay right. */
export function fixedLine({
  command,
  fixed,
}: {
  readonly command: string;
  readonly fixed?: boolean | undefined;
}): string {
  return fixed === true ? `readonly ${FIXED.join(" ")}; ${command}` : command;
}

/** Without the variables that the configuration adds for other lines. */
export function fixedSettings<Settings extends Pick<ShellSettings, "environment" | "inherit">>(
  settings: Settings,
): Settings {
  const environment = Object.entries(settings.environment ?? {}).filter(([name]) => SHOWS.test(name));
  return {
    ...settings,
    environment: Object.fromEntries(environment),
    inherit: (settings.inherit ?? []).filter((name) => SHOWS.test(name)),
  };
}
