/**
 * `ringfence serve`: MCP on stdin and stdout.
 */
import { fstatSync } from "node:fs";
import { logLine } from "../../base/index.ts";
import { DIALECTS, loadConfig, oneOf, type Config } from "../../config/index.ts";
import { startHost } from "../../start/index.ts";
import { COMMAND_DEFAULTS, configFlags, SERVE_FLAGS, starting, UsageError, type CliCommand } from "../command.ts";

export const serveCommand: CliCommand = {
  about: "Serve the tools over stdin and stdout, for an MCP client or a pipe.",
  most: Infinity,
  flags: SERVE_FLAGS,
  examples: [
    "ringfence serve --root ~/project",
    "ringfence serve --root ~/project --root /usr/share/doc:ro --mode accept_edits",
    "ringfence serve --dialect=filesystem --mode=bypass --baseline=if_known ~/project",
  ],
  async run(typed) {
    const [extra] = typed.positionals;
    const dialect = oneOf("dialect", typed.one("dialect") ?? "ringfence", DIALECTS);
    // As the server that it stands in for is started.
    if (extra !== undefined && dialect !== "filesystem")
      throw new UsageError(`the argument ${JSON.stringify(extra)} is one too many; a root is given as --root DIR`);
    const input = kindOfInput();
    if (input === "directory")
      throw new UsageError("standard input is a directory; requests of MCP come from a client, a pipe or a file");
    const flags = configFlags(typed);
    const roots = [...(flags.roots ?? []), ...typed.positionals];
    // A client reads before it writes, so it never needs to overwrite what it has not read.
    const defaults = { ...COMMAND_DEFAULTS, baseline: "required" };
    const load = async (): Promise<Config> => (await loadConfig({ ...flags, roots }, defaults)).config;
    const started = await starting(async () => await startHost(load));
    if (input === "terminal")
      logLine(
        "reads requests of MCP from this terminal, a line of JSON each; Ctrl-D ends it. It is meant to be started by a client: `ringfence init` sets one up.",
      );
    // Not before: where a fenced host starts twice, its first start ends above.
    const { serveStarted } = await import("../../host/index.ts");
    return await starting(async () => await serveStarted(started));
  },
};

/** A client's pipe is told from a terminal without `process.stdin`, which brings streams and sockets of the runtime into the start. */
function kindOfInput(): "terminal" | "directory" | "other" {
  try {
    const stat = fstatSync(0);
    if (stat.isDirectory()) return "directory";
    return stat.isCharacterDevice() && process.stdin.isTTY ? "terminal" : "other";
  } catch {
    // Whoever reads it says what is wrong with it.
    return "other";
  }
}
