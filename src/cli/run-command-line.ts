/**
 * Finds the command for the arguments, runs it and sets the exit code. Every command is imported only when it is used.
 */
import { endStartPolicy, Failure, failureText } from "../base/index.ts";
import { didYouMean, EXIT, exitOf, parseFlags, UsageError, type CliCommand, type ExitCode } from "./command.ts";

/** In the order of the help. */
export const COMMANDS: Readonly<Record<string, () => Promise<CliCommand>>> = {
  init: async () => (await import("./commands/init.ts")).initCommand,
  guard: async () => (await import("./guard/guard-command.ts")).guardCommand,
  serve: async () => (await import("./commands/serve.ts")).serveCommand,
  call: async () => (await import("./commands/call.ts")).callCommand,
  review: async () => (await import("./commands/review.ts")).reviewCommand,
  notify: async () => (await import("./notify/notify-command.ts")).notifyCommand,
  proposals: async () => (await import("./commands/proposals.ts")).proposalsCommand,
  history: async () => (await import("./commands/history.ts")).historyCommand,
  undo: async () => (await import("./commands/history.ts")).undoCommand,
  check: async () => (await import("./commands/check.ts")).checkCommand,
  explain: async () => (await import("./commands/call.ts")).explainCommand,
  grants: async () => (await import("./commands/grants.ts")).grantsCommand,
  rules: async () => (await import("./commands/record/rules.ts")).rulesCommand,
  report: async () => (await import("./commands/record/report.ts")).reportCommand,
  import: async () => (await import("./commands/import.ts")).importCommand,
  upstream: async () => (await import("./commands/upstream.ts")).upstreamCommand,
  spaces: async () => (await import("./commands/spaces.ts")).spacesCommand,
  audit: async () => (await import("./commands/audit.ts")).auditCommand,
  sessions: async () => (await import("./commands/record/sessions.ts")).sessionsCommand,
  replay: async () => (await import("./commands/record/replay.ts")).replayCommand,
  receipt: async () => (await import("./commands/record/receipt.ts")).receiptCommand,
  tools: async () => (await import("./commands/tools.ts")).toolsCommand,
  doctor: async () => (await import("./commands/doctor.ts")).doctorCommand,
  version: async () => (await import("./commands/help.ts")).versionCommand,
  completions: async () => (await import("./commands/help.ts")).completionsCommand,
};

/** Start a host, which says itself when its start is over. */
const HOSTS: ReadonlySet<string> = new Set(["serve", "call"]);

/** Never returns to its caller while a host runs; sets the exit code otherwise. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  process.exitCode = await run(args);
  // Workers that ended keep nothing alive, but one that is stuck in native code would.
  process.exit();
}

async function run(args: readonly string[]): Promise<ExitCode> {
  const [name, ...rest] = args;
  try {
    if (name === "--version" || name === "-V") return await runCommand("version", rest);
    const asked = helpAsked(args);
    if (asked === undefined) return await runCommand(name ?? "", rest);
    const command = asked.name === undefined ? undefined : await loadCommand(asked.name);
    const { printHelp } = await import("./commands/help.ts");
    await printHelp(asked.name, command);
    return name === undefined ? EXIT.usage : EXIT.ok;
  } catch (thrown) {
    return await reportProblem(thrown, name ?? "");
  }
}

/** `ringfence`, `ringfence help COMMAND`, `ringfence COMMAND --help`. */
function helpAsked([name, ...rest]: readonly string[]): { readonly name?: string | undefined } | undefined {
  if (name === undefined) return {};
  if (name === "help" || name === "--help" || name === "-h") return { name: rest.find((arg) => !arg.startsWith("-")) };
  return rest.includes("--help") || rest.includes("-h") ? { name } : undefined;
}

async function runCommand(name: string, raw: readonly string[]): Promise<ExitCode> {
  const { flags, most, run: work } = await loadCommand(name);
  if (!HOSTS.has(name)) endStartPolicy();
  return await work(parseFlags(raw, flags, most));
}

/** @throws UsageError that names the nearest command */
async function loadCommand(name: string): Promise<CliCommand> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load) return await load();
  throw new UsageError(`there is no command ${JSON.stringify(name)}${didYouMean(name, Object.keys(COMMANDS))}`);
}

async function reportProblem(thrown: unknown, name: string): Promise<ExitCode> {
  const { messages } = await import("./print.ts");
  if (thrown instanceof UsageError) {
    messages().error(
      `invalid_input: ${thrown.message}\nSee: ringfence ${Object.hasOwn(COMMANDS, name) ? `${name} ` : ""}--help`,
    );
    return EXIT.usage;
  }
  if (thrown instanceof Failure) {
    messages().error(failureText(thrown.data));
    return exitOf(thrown);
  }
  messages().error(describeError(thrown));
  return EXIT.host;
}

/** What the system refuses is said in its words; only of a bug a trace says more. */
function describeError(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const isOfSystem = typeof (thrown as NodeJS.ErrnoException).errno === "number";
  return isOfSystem ? `Cannot go on: ${thrown.message}` : (thrown.stack ?? thrown.message);
}
