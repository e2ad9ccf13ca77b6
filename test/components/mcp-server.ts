/**
 * MCP servers from npm that recipes of the documentation name: each in a folder of its own outside of the project, put there by
 * `scripts/test-components.sh`. A test that lacks one is skipped, and says so in its title.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Component } from "./component.ts";

/** `test/build/test-components.test.ts` holds that the script installs exactly these. */
export const SERVER_PACKAGES = {
  "chrome-devtools-mcp": "chrome-devtools-mcp@1.11.0",
  "kubernetes-mcp-server": "kubernetes-mcp-server-linux-amd64@0.0.67",
} as const;

export interface McpServer extends Component {
  /** The folder `node_modules` that has it. */
  readonly modules: string;
}

export function mcpServer(name: keyof typeof SERVER_PACKAGES): McpServer {
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const spec = SERVER_PACKAGES[name];
  const [program = "", version = ""] = spec.split("@");
  const modules = join(cache, "ringfence-test", "clients", `${name}-${version}`, "node_modules");
  if (existsSync(join(modules, program))) return { isMissing: false, note: "", modules };
  return { isMissing: true, note: ` (needs ${spec}: scripts/test-components.sh)`, modules };
}
