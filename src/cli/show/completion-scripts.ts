/**
 * The completion scripts of three shells, from the words of each command. Behind a flag that takes a value stand its values, where
 * they are known, or paths, where it takes one; never other flags, which would be taken for the value.
 */

/** What stands behind a flag: one of these words, a directory, a file, or a text that nobody can guess. */
export type FlagValue = readonly string[] | "directory" | "file" | "text";

export interface CommandWords {
  /** Actions or tools, and the flags. */
  readonly words: readonly string[];
  /** What stands behind each flag that takes a value, by the name of the flag without its dashes. */
  readonly values: Readonly<Record<string, FlagValue>>;
}

type Commands = Readonly<Record<string, CommandWords>>;

function bashAct(value: FlagValue): string {
  if (value === "directory") return 'COMPREPLY=($(compgen -d -- "$current"))';
  if (value === "file") return 'COMPREPLY=($(compgen -f -- "$current"))';
  return value === "text"
    ? "compopt +o default 2>/dev/null"
    : `COMPREPLY=($(compgen -W "${value.join(" ")}" -- "$current"))`;
}

export function bashScript(commands: Commands): string {
  return `_ringfence() {
  local words="${Object.keys(commands).join(" ")}" current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${flagCases(commands, (value) => `${bashAct(value)}; return`)}
  esac
  [ "$COMP_CWORD" -gt 1 ] && case "\${COMP_WORDS[1]}" in
${wordCases(commands, (words) => `words="${words}"`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _ringfence ringfence`;
}

function zshAct(value: FlagValue): string {
  if (value === "directory") return "_files -/";
  if (value === "file") return "_files";
  return value === "text" ? ":" : `compadd -- ${value.join(" ")}`;
}

export function zshScript(commands: Commands): string {
  return `#compdef ringfence
_ringfence() {
  if (( CURRENT == 2 )); then compadd -- ${Object.keys(commands).join(" ")}; return; fi
  case "$words[2] $words[CURRENT-1]" in
${flagCases(commands, (value) => `${zshAct(value)}; return`)}
  esac
  case "$words[2]" in
${wordCases(commands, (words) => `compadd -- ${words}`)}
  esac
}
compdef _ringfence ringfence`;
}

function fishAct(value: FlagValue): string {
  if (value === "directory") return '-x -a "(__fish_complete_directories)"';
  if (value === "file") return "-r -F";
  return value === "text" ? "-x" : `-x -a "${value.join(" ")}"`;
}

export function fishScript(commands: Commands): string {
  const names = Object.keys(commands).join(" ");
  const lines = Object.entries(commands).flatMap(([name, { words, values }]) => {
    const within = `complete -c ringfence -n "__fish_seen_subcommand_from ${name}"`;
    const flags = Object.entries(values).map(([flag, value]) => `${within} -l ${flag} ${fishAct(value)}`);
    return [`${within} -a "${words.join(" ")}"`, ...flags];
  });
  return [`complete -c ringfence -n "not __fish_seen_subcommand_from ${names}" -a "${names}"`, ...lines].join("\n");
}

/** One case for all flags with the same values: there are many commands, and most have the same flags. */
function flagCases(commands: Commands, act: (value: FlagValue) => string): string {
  const byAct = new Map<string, string[]>();
  for (const [name, { values }] of Object.entries(commands))
    for (const [flag, value] of Object.entries(values))
      byAct.set(act(value), [...(byAct.get(act(value)) ?? []), `"${name} --${flag}"`]);
  return [...byAct].map(([done, patterns]) => `    ${patterns.join("|")}) ${done} ;;`).join("\n");
}

function wordCases(commands: Commands, act: (words: string) => string): string {
  return Object.entries(commands)
    .map(([name, { words }]) => `    ${name}) ${act(words.join(" "))} ;;`)
    .join("\n");
}
