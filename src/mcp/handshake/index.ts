/**
 * The handshake era: 2024-11-05 to 2025-11-25. A client begins with `initialize`; results carry no extra members.
 * A script that never shakes hands gets the same shapes.
 * https://modelcontextprotocol.io/specification/2025-11-25
 */
import type { About, Capabilities } from "../about.ts";
import { TASKS } from "../client-facts.ts";
import type { Revision } from "../revision.ts";

const HANDSHAKE_VERSIONS: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

const METHODS: ReadonlySet<string> = new Set(["initialize", "ping", "server/discover", "logging/setLevel"]);
const WITHOUT: ReadonlySet<string> = new Set();

export const handshakeRevision: Revision = {
  name: "handshake",
  methods: METHODS,
  without: WITHOUT,
  callResult,
  result,
};
export const scriptRevision: Revision = { ...handshakeRevision, name: "script" };

/** The client's version when it is known, else the newest that shakes hands. */
export function chooseVersion(asked: unknown): string {
  return HANDSHAKE_VERSIONS.find((version) => version === asked) ?? "2025-11-25";
}

export function initializeResult(protocolVersion: string, about: About): Record<string, unknown> {
  const { server, instructions } = about;
  return {
    protocolVersion,
    capabilities: withoutTasks(about.capabilities),
    serverInfo: server,
    instructions,
  };
}

/** Tasks as an extension are of the modern era. */
function withoutTasks(capabilities: Capabilities): Capabilities {
  const { [TASKS]: _, ...extensions } = (capabilities["extensions"] ?? {}) as Capabilities;
  return { ...capabilities, extensions };
}

function callResult({ members, meta }: Parameters<Revision["callResult"]>[0]): string {
  return meta === undefined ? `{${members}}` : `{${members},"_meta":${JSON.stringify(meta)}}`;
}

function result(value: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(value);
}
