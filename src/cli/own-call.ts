/**
 * Calls that a command makes for itself, to look something up or to write what a person has seen. No agent made them, so the record
 * and `ringfence report` name ringfence in the place of a client.
 */
import { BUILD } from "../config/index.ts";

export const RINGFENCE_ITSELF = "ringfence itself";

/** A line for the input of a host, which knows who calls from the call alone, without a handshake. */
export function ownCall(name: string): string {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: RINGFENCE_ITSELF, version: BUILD.version },
  };
  return `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, _meta } })}\n`;
}
