/**
 * `ringfence serve`: MCP on stdin and stdout.
 */
import { defineCommand, type ArgsDef, type CommandDef } from "citty";
import { resolveConfig } from "../config/index.ts";
import { serveConfig } from "../host/index.ts";
import { configFlags, HOST_FLAGS, parseFlags } from "./flags.ts";

const FLAGS: ArgsDef = {
  ...HOST_FLAGS,
  strict: {
    type: "boolean",
    description: "Refuse requests outside any MCP era instead of answering scripts.",
  },
};

export const serveCommand: CommandDef = defineCommand({
  meta: { name: "serve", description: "Serve the tools over stdin and stdout, for an MCP client or a pipe." },
  args: FLAGS,
  async run({ rawArgs }) {
    const typed = parseFlags(rawArgs, FLAGS);
    const config = resolveConfig({ ...configFlags(typed), strict: typed.has("strict") });
    return await serveConfig(config);
  },
});
