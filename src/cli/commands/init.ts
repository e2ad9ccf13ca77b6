/**
 * `ringfence init`: makes ringfence the file tools of a client and turns the client's own off, in the client's own files, with
 * the diff of each shown first; `--undo` takes it back.
 */
import { Failure } from "../../base/index.ts";
import { CLIENTS, OTHER_CLIENTS, type ClientRow, type ClientScope, type Setup } from "../../clients/index.ts";
import { DIALECTS, parseRoot, rootFlags } from "../../config/index.ts";
import { MODES } from "../../policy/index.ts";
import { checkRoots } from "../clients/check-roots.ts";
import { findClients, findPlaces, thisProgram } from "../clients/client-places.ts";
import { printSetups } from "../clients/print-setup.ts";
import { setUpClients } from "../clients/set-up-clients.ts";
import { undoInit } from "../clients/undo-init.ts";
import {
  configFlags,
  didYouMean,
  EXIT,
  STATE_FLAG,
  UsageError,
  type CliCommand,
  type ExitCode,
  type TypedArguments,
} from "../command.ts";
import { askText, isAtTerminal, messages } from "../print.ts";

export const initCommand: CliCommand = {
  about: "Set up a client: ringfence as its file tools, and its own turned off.",
  takes: "[CLIENT ...]",
  most: Infinity,
  flags: {
    root: {
      about: "A directory for the client to work in; default this one. Repeatable. DIR:ro is for reading only.",
      value: "DIR",
    },
    mode: { about: `How changes are decided: ${MODES.join(", ")}.`, value: "MODE", choices: MODES },
    dialect: { about: "Show the tools under the names that a model was trained on.", value: "NAME", choices: DIALECTS },
    scope: {
      about: "project (default): the files of the first root; user: those for all folders.",
      value: "SCOPE",
      choices: ["project", "user"],
    },
    managed: { about: "Write the files of the administrator, so that ringfence is the only server of all users." },
    prefix: { about: "With --managed: a folder to write them below, to be packed and sent out.", value: "DIR" },
    guard: { about: "Leave the client's own tools on, and have `ringfence guard` answer for each call of them." },
    trust: { about: "Tell the client that you trust the folder, where it would ask you." },
    yes: { about: "Write without asking." },
    "dry-run": { about: "Show what would be written, and write nothing." },
    print: { about: "Print what belongs into the files, also of clients whose files are not written." },
    undo: { about: "Take back what was set up, of these clients or of all." },
    "no-check": { about: "Do not ask the client whether it reaches ringfence." },
    ...STATE_FLAG,
  },
  examples: [
    "ringfence init   # every client that is found",
    "ringfence init claude-code --root ~/project --dry-run",
    "ringfence init codex gemini-cli --yes",
    "ringfence init claude-code --guard",
    "ringfence init goose --print",
    "sudo ringfence init claude-code --managed --root /srv/project",
    "ringfence init --undo",
  ],
  run: runInit,
};

async function runInit(typed: TypedArguments): Promise<ExitCode> {
  // The roots and the mode are the client's, and nothing that this command works with.
  const { stateDir } = configFlags(typed);
  const raw = { stateDir };
  const [isAgreed, dryRun] = [typed.has("yes"), typed.has("dry-run")];
  // `--print` knows more clients, and says itself which.
  const named = typed.has("print") ? [] : typed.positionals.map(rowOf);
  if (!isAgreed && !dryRun && !typed.has("print") && !isAtTerminal())
    throw new UsageError("nobody is at a terminal to look at the changes: say --yes, or --dry-run to see them");
  if (typed.has("undo")) {
    const isWhole = await undoInit({ raw, clients: typed.positionals, isAgreed, dryRun });
    return isWhole ? EXIT.ok : EXIT.failed;
  }
  const scope = scopeOf(typed);
  if (typed.has("print")) {
    printSetups(typed.positionals, await setupOf(typed, false), scope);
    return EXIT.ok;
  }
  const rows = named.length > 0 ? named : findClients(findPlaces("."));
  if (rows.length === 0) {
    messages().info(`No client was found. Name one: ${CLIENTS.map(({ name }) => name).join(", ")}.`);
    return EXIT.failed;
  }
  const setup = await setupOf(typed, !isAgreed && !dryRun);
  // Files below a prefix are for another machine.
  if (!typed.has("prefix")) await checkRoots(setup.roots, raw);
  const project = parseRoot(setup.roots[0] ?? ".").path;
  const places = findPlaces(project, typed.one("prefix"));
  const isWhole = await setUpClients({
    raw,
    rows,
    setup,
    places,
    scope,
    isAgreed,
    dryRun,
    check: !typed.has("no-check"),
  });
  return isWhole ? EXIT.ok : EXIT.failed;
}

/** @throws UsageError that names the nearest client */
function rowOf(name: string): ClientRow {
  const found = CLIENTS.find((row) => row.name === name);
  if (found) return found;
  if (OTHER_CLIENTS.some((other) => other.name === name))
    throw new UsageError(
      `the files of ${name} are not written: ringfence init ${name} --print shows what belongs there`,
    );
  const names = CLIENTS.map((row) => row.name);
  const near = didYouMean(name, names);
  throw new UsageError(`there is no client ${JSON.stringify(name)}${near || `; there are ${names.join(", ")}`}`);
}

function scopeOf(typed: TypedArguments): ClientScope {
  const scope = typed.one("scope") ?? "project";
  if (scope !== "project" && scope !== "user")
    throw new UsageError(`--scope takes project or user, not ${JSON.stringify(scope)}`);
  if (!typed.has("managed")) {
    if (typed.has("prefix")) throw new UsageError("--prefix goes with --managed");
    return scope;
  }
  if (typed.has("scope")) throw new UsageError("give --scope or --managed, not both");
  return "managed";
}

/** What was given by flags is not asked for. */
async function setupOf(typed: TypedArguments, isAsked: boolean): Promise<Setup> {
  const given = typed.all("root");
  const choose = async (flag: string, question: string, known: readonly string[], usual: string): Promise<string> => {
    const value = typed.one(flag);
    if (value !== undefined || !isAsked) return oneOf(flag, value ?? usual, known);
    return await askOneOf(question, known, usual);
  };
  const roots =
    given.length > 0
      ? given
      : [isAsked ? await askText("Which directory may the client work in?", process.cwd()) : "."];
  const mode = await choose("mode", "How are changes decided?", MODES, "default");
  const dialect = await choose("dialect", "Under which names are the tools shown?", DIALECTS, "ringfence");
  const specs = roots.map((root) => parseRoot(root));
  for (const { path } of specs)
    if (path === "") throw new Failure("invalid_input", "Cannot set up a client: the root is empty", { hint: "" });
  return {
    program: thisProgram(),
    guards: typed.has("guard"),
    trustsProject: typed.has("trust"),
    roots: rootFlags(specs).filter((_, index) => index % 2 === 1),
    flags: mode === "default" ? [] : [`--mode=${mode}`],
    dialect: dialect === "ringfence" && typed.one("dialect") === undefined ? undefined : dialect,
  };
}

/** Another answer is no reason to begin again with all of them. */
async function askOneOf(question: string, known: readonly string[], usual: string): Promise<string> {
  for (;;) {
    const answer = await askText(question, usual);
    if (known.includes(answer)) return answer;
    messages().warn(`${JSON.stringify(answer)} is none of ${known.join(", ")}.`);
  }
}

function oneOf(flag: string, value: string, known: readonly string[]): string {
  if (known.includes(value)) return value;
  throw new UsageError(`--${flag} takes ${known.join(", ")}, not ${JSON.stringify(value)}`);
}
