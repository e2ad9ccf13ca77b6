/**
 * The extension methods for commands: the same that a client calls.
 */
import type { Host } from "../host/index.ts";
import { stopBySignal } from "./stop-by-signal.ts";

export async function askExtension(
  host: Host,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { loadLateParts } = await import("../host/index.ts");
  const { callExtension } = await loadLateParts();
  return await stopBySignal(async (signal) => await callExtension(host, method, params, { signal }));
}
