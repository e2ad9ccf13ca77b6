/**
 * `ringfence help` and `--help`: commands and flags from their own definitions, with examples that can be pasted.
 */
import type { ArgsDef, CommandDef } from "citty";
import { BUILD } from "../config/index.ts";
import { print } from "./print.ts";
import { COMMANDS } from "./run-command-line.ts";
import { EXIT, type ExitCode } from "./usage-error.ts";

/** The arguments of each command that stand before its flags. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  call: "TOOL [KEY=VALUE ...]",
  proposals: "[list | show ID ... | apply ID@DIGEST ... | reject ID ...]",
  undo: "[ID]",
  explain: "TOOL [KEY=VALUE ...]",
  grants: "[list | add RULE | revoke ID]",
  upstream: "[list | review [NAME ...] | approve NAME@HASH ...]",
  audit: "[show | verify | export | key]",
  completions: "bash | zsh | fish",
};

const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  serve: [
    "ringfence serve --root ~/project",
    "ringfence serve --root ~/project --root /usr/share/doc:ro --mode accept_edits",
    "ringfence serve --dialect=filesystem --mode=bypass --baseline=if_known ~/project",
  ],
  call: [
    "ringfence call read_file path=README.md --root .",
    `ringfence call grep pattern=TODO include='["*.ts"]' --root .`,
    `ringfence call write_file --json '{"path":"a.txt","content":"hello\\n"}' --root .`,
    "jq -c .arguments call.json | ringfence call edit_file --json - --root .",
  ],
  proposals: [
    "ringfence proposals list",
    "ringfence proposals show p_...",
    "ringfence proposals apply p_...@...",
    "ringfence proposals apply p_6Dk    # at a terminal: shows it, and asks; a part of an id is enough",
    "ringfence proposals apply --last   # the newest, in the same way",
    "ringfence proposals reject p_... --reason 'wrong file'",
  ],
  history: ["ringfence history", "ringfence history --json"],
  undo: ["ringfence undo", "ringfence undo --dry-run", "ringfence undo t_..."],
  check: ["ringfence check --root .", "ringfence check --config ringfence.json --root ."],
  explain: ["ringfence explain write_file path=src/a.ts --root ."],
  grants: ["ringfence grants", "ringfence grants add 'write_file(notes/**)' --root .", "ringfence grants revoke g_..."],
  upstream: [
    "ringfence upstream",
    "ringfence upstream review",
    "ringfence upstream review git --approve",
    "ringfence upstream approve git@1f2e3d4c5b6a7988",
  ],
  audit: [
    "ringfence audit show --event failed --since 2026-11-01",
    "ringfence audit show --follow",
    "ringfence audit verify",
    "ringfence audit export --format ocsf",
  ],
  tools: ["ringfence tools", "ringfence tools --all --profile minimal", "ringfence tools --json"],
  doctor: ["ringfence doctor --root ."],
  version: ["ringfence version"],
  completions: [
    "source <(ringfence completions bash)",
    "ringfence completions fish > ~/.config/fish/completions/ringfence.fish",
  ],
};

export async function printHelp(name: string | undefined, isMistake: boolean): Promise<ExitCode> {
  const load = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  print(load && name !== undefined ? commandHelp(name, await load()) : await generalHelp());
  return isMistake ? EXIT.usage : EXIT.ok;
}

async function generalHelp(): Promise<string> {
  const rows: string[] = [];
  for (const [name, load] of Object.entries(COMMANDS)) {
    const meta = (await load()).meta as { description?: string } | undefined;
    rows.push(`  ${name.padEnd(12)} ${meta?.description ?? ""}`);
  }
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
  "Exit codes: 0 done, 1 the tool, proposal or check failed, 2 wrong usage, 3 the host could not work.";

function commandHelp(name: string, command: CommandDef): string {
  const { description } = command.meta as { description: string };
  const flags = { ...(command.args as ArgsDef), help: { type: "boolean", description: "Print this." } };
  return [
    description,
    "",
    `Usage: ${["ringfence", name, ARGUMENTS[name], "[flags]"].filter(Boolean).join(" ")}`,
    "",
    "Flags:",
    ...Object.entries(flags as ArgsDef).map(flagLine),
    "",
    "Examples:",
    ...(EXAMPLES[name] ?? []).map((example) => `  ${example}`),
    "",
    EXIT_CODES,
  ].join("\n");
}

function flagLine([name, flag]: [string, ArgsDef[string]]): string {
  const value = "valueHint" in flag ? ` ${flag.valueHint}` : "";
  return `  ${`--${name}${value}`.padEnd(FLAG_COLUMNS)} ${flag.description ?? ""}`;
}

/** The width of the longest flag with its value. */
const FLAG_COLUMNS = 23;
