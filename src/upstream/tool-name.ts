/**
 * The names of a server's tools here. Names of servers have no underscore, so `mcp_a_b` is one server's only.
 */
import { createHash } from "node:crypto";

const MAX_NAME_CHARS = 31;
const KEPT_CHARS = 24;

export interface ToolNames {
  readonly name: string;
  /** With its own name. */
  readonly alias: string;
}

/** `mcp_<server>_<tool>`; what is too long, or like another one, is cut and ends with six digits of its hash. */
export function nameTools(server: string, tools: readonly string[]): ReadonlyMap<string, ToolNames> {
  const plain = tools.map((tool) => plainName(server, tool));
  const named = new Map<string, ToolNames>();
  const taken = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const short = plain[index] ?? "";
    const isAlone = plain.indexOf(short) === plain.lastIndexOf(short);
    const name = isAlone && short.length <= MAX_NAME_CHARS ? short : hashedName(server, tool, short);
    if (taken.has(name)) continue;
    taken.add(name);
    named.set(tool, { name, alias: `mcp:${server}:${tool}` });
  }
  return named;
}

function plainName(server: string, tool: string): string {
  return `mcp_${server}_${tool}`.toLowerCase().replaceAll(/[^a-z0-9_]/g, "_");
}

function hashedName(server: string, tool: string, short: string): string {
  const hash = createHash("sha256").update(`mcp_${server}_${tool}`).digest("hex");
  return `${short.slice(0, KEPT_CHARS)}_${hash.slice(0, 6)}`;
}
