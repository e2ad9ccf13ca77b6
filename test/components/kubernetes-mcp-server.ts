/**
 * An MCP server for clusters that other people wrote, one static program from npm. It is put outside of the project by
 * `scripts/test-components.sh`; a test that lacks it is skipped, and says so in its title.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Component } from "./component.ts";

const NAME = "kubernetes-mcp-server-linux-amd64";
const VERSION = "0.0.67";
/** `test/build/test-components.test.ts` holds that the script installs exactly this. */
export const KUBERNETES_MCP_PACKAGE: string = `${NAME}@${VERSION}`;

export interface KubernetesMcpServer extends Component {
  readonly program: string;
}

export function kubernetesMcpServer(): KubernetesMcpServer {
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const folder = join(cache, "ringfence-test", "clients", `kubernetes-mcp-server-${VERSION}`);
  const program = join(folder, "node_modules", NAME, "bin", NAME);
  const isMissing = !existsSync(program) || process.platform !== "linux" || process.arch !== "x64";
  return {
    program,
    isMissing,
    note: isMissing ? ` (needs ${KUBERNETES_MCP_PACKAGE}: scripts/test-components.sh)` : "",
  };
}
