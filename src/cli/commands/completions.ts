/**
 * `ringfence completions SHELL`: generated from the same definitions as the help, so they cannot disagree.
 */
import { defineCommand, type ArgsDef, type CommandDef } from "citty";
import { builtinTools } from "../../packs/index.ts";
import { parseFlags } from "../flags.ts";
import { print } from "../print.ts";
import { COMMANDS } from "../run-command-line.ts";
import { EXIT, UsageError, type ExitCode } from "../usage-error.ts";

const SHELLS: Readonly<Record<string, (words: Words) => string>> = { bash, zsh, fish };

export const completionsCommand: CommandDef = defineCommand({
  meta: { name: "completions", description: "Print the completion script for bash, zsh or fish." },
  args: {},
  async run({ rawArgs }): Promise<ExitCode> {
    const [shell] = parseFlags(rawArgs, {}, 1).positionals;
    const write = shell !== undefined && Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
    if (!write)
      throw new UsageError(
        `completions takes bash, zsh or fish${shell === undefined ? "" : `, not ${JSON.stringify(shell)}`}`,
      );
    print(write(await collectWords()));
    return EXIT.ok;
  },
});

/** The words that may follow each command. */
type Words = Readonly<Record<string, readonly string[]>>;

const ACTIONS: Words = {
  proposals: ["list", "show", "apply", "reject"],
  grants: ["list", "add", "revoke"],
  audit: ["show", "verify", "export", "key"],
  explain: builtinTools.map((tool) => tool.name),
  completions: Object.keys(SHELLS),
  call: builtinTools.map((tool) => tool.name),
};

async function collectWords(): Promise<Words> {
  const words: Record<string, readonly string[]> = {};
  for (const [name, load] of Object.entries(COMMANDS)) {
    const flags = Object.keys(((await load()).args ?? {}) as ArgsDef).map((flag) => `--${flag}`);
    words[name] = [...(ACTIONS[name] ?? []), ...flags, "--help"];
  }
  return words;
}

function bash(words: Words): string {
  const cases = Object.entries(words).map(([name, next]) => `    ${name}) words="${next.join(" ")}" ;;`);
  return `_ringfence() {
  local words="${Object.keys(words).join(" ")}" current="\${COMP_WORDS[COMP_CWORD]}"
  [ "$COMP_CWORD" -gt 1 ] && case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  case "\${COMP_WORDS[COMP_CWORD-1]}" in --root|--state-dir) COMPREPLY=($(compgen -d -- "$current")); return ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _ringfence ringfence`;
}

function zsh(words: Words): string {
  const cases = Object.entries(words).map(([name, next]) => `    ${name}) compadd -- ${next.join(" ")} ;;`);
  return `#compdef ringfence
_ringfence() {
  if (( CURRENT == 2 )); then compadd -- ${Object.keys(words).join(" ")}; return; fi
  case "$words[CURRENT-1]" in --root|--state-dir) _files -/; return ;; esac
  case "$words[2]" in
${cases.join("\n")}
  esac
}
compdef _ringfence ringfence`;
}

function fish(words: Words): string {
  const names = Object.keys(words).join(" ");
  const lines = Object.entries(words).map(
    ([name, next]) => `complete -c ringfence -n "__fish_seen_subcommand_from ${name}" -a "${next.join(" ")}"`,
  );
  return [`complete -c ringfence -n "not __fish_seen_subcommand_from ${names}" -a "${names}"`, ...lines].join("\n");
}
