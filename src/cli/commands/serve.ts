/**
 * `ringfence serve`: MCP on stdin and stdout.
 */
import { defineCommand, type CommandDef } from "citty";
import { DIALECTS, loadConfig, loadPacks, oneOf, type RawConfig } from "../../config/index.ts";
import { enterHostFence } from "../../start/index.ts";
import { COMMAND_DEFAULTS, configFlags, parseFlags, SERVE_FLAGS } from "../flags.ts";
import { UsageError } from "../usage-error.ts";

/** A client reads before it writes, so it never needs to overwrite what it has not read. */
const DEFAULTS: RawConfig = { ...COMMAND_DEFAULTS, baseline: "required" };

export const serveCommand: CommandDef = defineCommand({
  meta: { name: "serve", description: "Serve the tools over stdin and stdout, for an MCP client or a pipe." },
  args: SERVE_FLAGS,
  async run({ rawArgs }) {
    const typed = parseFlags(rawArgs, SERVE_FLAGS, Infinity);
    const [extra] = typed.positionals;
    const dialect = oneOf("dialect", typed.one("dialect") ?? "ringfence", DIALECTS);
    // As the server that it stands in for is started.
    if (extra !== undefined && dialect !== "filesystem")
      throw new UsageError(`the argument ${JSON.stringify(extra)} is one too many; a root is given as --root DIR`);
    const flags = configFlags(typed);
    const roots = [...(flags.roots ?? []), ...typed.positionals];
    const { config } = await loadConfig({ ...flags, roots }, DEFAULTS);
    const packs = await loadPacks(config);
    const fence = await enterHostFence(config, { packs });
    // Not before: the first start of a fenced host ends above.
    const { serveConfig } = await import("../../host/index.ts");
    return await serveConfig(config, fence, { packs });
  },
});
