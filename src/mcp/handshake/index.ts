/**
 * The handshake era: 2024-11-05 to 2025-11-25. A client begins with `initialize`; results carry no extra members.
 * A script that never shakes hands gets the same shapes.
 * https://modelcontextprotocol.io/specification/2025-11-25
 */
import { CAPABILITIES, serverInfo, type About } from "../about.ts";
import { COMMON_METHODS, type Revision } from "../revision.ts";

export const HANDSHAKE_VERSIONS: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

const METHODS: ReadonlySet<string> = new Set([...COMMON_METHODS, "initialize", "ping", "server/discover"]);

export const handshakeRevision: Revision = { name: "handshake", methods: METHODS, callResult, result };
export const scriptRevision: Revision = { name: "script", methods: METHODS, callResult, result };

/** The client's version when it is known, else the newest that shakes hands. */
export function initializeResult(
  params: Readonly<Record<string, unknown>>,
  about: About,
): Record<string, unknown> {
  const asked = params["protocolVersion"];
  const protocolVersion = HANDSHAKE_VERSIONS.find((version) => version === asked) ?? HANDSHAKE_VERSIONS[0];
  return {
    protocolVersion,
    capabilities: CAPABILITIES,
    serverInfo: serverInfo(about),
    instructions: about.instructions,
  };
}

function callResult({ members, meta }: Parameters<Revision["callResult"]>[0]): string {
  return meta === undefined ? `{${members}}` : `{${members},"_meta":${JSON.stringify(meta)}}`;
}

function result(value: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(value);
}
