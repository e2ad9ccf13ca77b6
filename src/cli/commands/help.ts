/**
 * What the program says of itself: `ringfence help` and `--help`, `ringfence completions SHELL` and `ringfence version`.
 * Help and completions are made from the definitions of the commands, so they cannot disagree.
 */
import { BUILD } from "../../config/index.ts";
import { EXIT, UsageError, type CliCommand, type Flag, type Flags } from "../command.ts";
import { print } from "../print.ts";
import { COMMANDS } from "../run-command-line.ts";
import { bashScript, fishScript, zshScript, type CommandWords, type FlagValue } from "../show/completion-scripts.ts";

/** @param command without one it is the help of all */
export async function printHelp(name: string | undefined, command: CliCommand | undefined): Promise<void> {
  print(name !== undefined && command ? commandHelp(name, command) : await generalHelp());
}

async function generalHelp(): Promise<string> {
  const rows: string[] = [];
  for (const [name, load] of Object.entries(COMMANDS)) rows.push(`  ${name.padEnd(12)} ${(await load()).about}`);
  return [
    `ringfence ${BUILD.version}: file tools for AI agents, inside the directories you name and nowhere else.`,
    "",
    "Usage: ringfence COMMAND [flags]      ringfence COMMAND --help for examples",
    "",
    ...rows,
    "",
    "An edit from a shell, proposed and then approved:",
    "  ringfence call edit_file path=notes.txt old_text=draft new_text=final --root .",
    "  ringfence proposals show ID",
    "  ringfence proposals apply ID@DIGEST",
    "",
    EXIT_CODES,
  ].join("\n");
}

const EXIT_CODES =
  "Exit codes: 0 done, 1 the tool, proposal or check failed, 2 wrong usage, or guard could\nnot judge a call, 3 the host could not work, 4 check found a rule that allows more than it\nseems to, 5 a replay differs, 6 not all was imported.";

function commandHelp(name: string, { about, takes, flags, examples }: CliCommand): string {
  const all: Flags = { ...flags, help: { about: "Print this." } };
  return [
    about,
    "",
    `Usage: ${["ringfence", name, takes, "[flags]"].filter(Boolean).join(" ")}`,
    "",
    "Flags:",
    ...Object.entries(all).map(([flag, { about: what, value }]) => {
      const shown = `--${flag}${value === undefined ? "" : ` ${value}`}`;
      return `  ${shown.padEnd(FLAG_COLUMNS)} ${what}`;
    }),
    "",
    "Examples:",
    ...examples.map((example) => `  ${example}`),
    "",
    EXIT_CODES,
  ].join("\n");
}

/** The width of the longest flag with its value. */
const FLAG_COLUMNS = 23;

export const versionCommand: CliCommand = {
  about: "Print version, commit, runtime and target.",
  flags: {},
  examples: ["ringfence version"],
  run() {
    print(`ringfence ${BUILD.version} (commit ${BUILD.commit}, ${BUILD.runtime}, ${BUILD.target})`);
    return EXIT.ok;
  },
};

const SHELLS: Readonly<Record<string, (commands: Readonly<Record<string, CommandWords>>) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export const completionsCommand: CliCommand = {
  about: "Print the completion script for bash, zsh or fish.",
  takes: "bash | zsh | fish",
  most: 1,
  flags: {},
  examples: [
    "source <(ringfence completions bash)",
    "ringfence completions fish > ~/.config/fish/completions/ringfence.fish",
  ],
  async run({ positionals: [shell] }) {
    const write = shell !== undefined && Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
    if (!write)
      throw new UsageError(
        `completions takes bash, zsh or fish${shell === undefined ? "" : `, not ${JSON.stringify(shell)}`}`,
      );
    print(write(await collectWords()));
    return EXIT.ok;
  },
};

async function collectWords(): Promise<Record<string, CommandWords>> {
  // Not before: the version and the help need no tools.
  const { builtinTools } = await import("../../packs/late-packs.ts");
  const tools = builtinTools.map((tool) => tool.name);
  const commands: Record<string, CommandWords> = {};
  for (const [name, load] of Object.entries(COMMANDS)) {
    const { takes = "", flags } = await load();
    // The first word of each form is an action; one in capitals stands for what is typed.
    const actions = takes.split("|").flatMap((form) => /^[ []*([a-z]+)/.exec(form)?.[1] ?? []);
    const first = takes.startsWith("TOOL") ? tools : actions;
    const values = Object.entries(flags).flatMap(([flag, one]) =>
      one.value === undefined ? [] : [[flag, valuesOf(one)]],
    );
    commands[name] = {
      words: [...first, ...Object.keys(flags).map((flag) => `--${flag}`), "--help"],
      values: Object.fromEntries(values) as CommandWords["values"],
    };
  }
  return commands;
}

/** What is shown for a value says whether it is a path. */
function valuesOf({ value, choices }: Flag): FlagValue {
  if (choices) return choices;
  return value === "DIR" ? "directory" : value === "FILE" ? "file" : "text";
}
