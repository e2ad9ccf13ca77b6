/**
 * `ringfence serve`: MCP on stdin and stdout.
 */
import { fstatSync } from "node:fs";
import { logLine } from "../../base/index.ts";
import { DIALECTS, loadConfig, oneOf } from "../../config/index.ts";
import { startHost } from "../../start/index.ts";
import { COMMAND_DEFAULTS, configFlags, SERVE_FLAGS, UsageError, type CliCommand } from "../command.ts";

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
    const flags = configFlags(typed);
    const roots = [...(flags.roots ?? []), ...typed.positionals];
    // A client reads before it writes, so it never needs to overwrite what it has not read.
    const defaults = { ...COMMAND_DEFAULTS, baseline: "required" };
    const started = await startHost(async () => (await loadConfig({ ...flags, roots }, defaults)).config);
    if (isTerminal())
      logLine(
        "reads requests of MCP from this terminal, a line of JSON each; Ctrl-D ends it. It is meant to be started by a client: `ringfence init` sets one up.",
      );
    // Not before: the first start of a fenced host ends above.
    const { serveStarted } = await import("../../host/index.ts");
    return await serveStarted(started);
  },
};

/** A client's pipe is told from it without `process.stdin`, which brings streams and sockets of the runtime into the start. */
function isTerminal(): boolean {
  try {
    return fstatSync(0).isCharacterDevice() && process.stdin.isTTY;
  } catch {
    // Nothing is lost but advice.
    return false;
  }
}
