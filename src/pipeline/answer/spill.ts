/**
 * Outputs that were too large for one result, as resources: `ringfence://spill/ID`. Whoever has an id was given it, in the link
 * of the result that it was cut from or in the list of this process; the outputs of other processes are listed nowhere. The
 * output of a program is kept by whoever ran it, and linked here.
 */
import type { ToolResult } from "../../contract/index.ts";
import { spillUri } from "../../scope/index.ts";
import { SpillStore } from "../../state/index.ts";
import type { Services, SpilledOutput } from "../services.ts";

type Members = Readonly<Record<string, unknown>>;

/** More are forgotten by the list, the oldest first; they can still be read. */
const MAX_LISTED = 1000;

/** Keeps the text. @returns the content block that links to it */
export function linkSpilled(host: Services, text: string, name: string): Members {
  const id = new SpillStore(host.config.stateDir).put(text);
  return linkTo(host, id, { name, size: Buffer.byteLength(text) });
}

/** Links to an output that is kept already. */
export function linkTo(host: Services, id: string, output: SpilledOutput): Members {
  announce(host, id, output);
  return {
    type: "resource_link",
    uri: spillUri(id),
    name: output.name,
    description: "The whole output",
    mimeType: output.mime ?? "text/plain",
    size: output.size,
  };
}

/** What a tool has kept is linked by the host, which tells who may ask for it. */
export function withKept(host: Services, result: ToolResult): ToolResult {
  if (!result.kept) return result;
  const links = result.kept.map(({ id, annotations, ...output }): Members => {
    const { description: _text, ...link } = linkTo(host, id, output);
    return { ...link, ...(annotations ? { annotations } : {}) };
  });
  return { ...result, links: [...(result.links ?? []), ...links] };
}

function announce(host: Services, id: string, output: SpilledOutput): void {
  const { spilled } = host;
  if (!spilled.has(id)) {
    spilled.set(id, output);
    host.audit.announce("spilled", { output: id, bytes: output.size });
    const [oldest] = spilled.keys();
    if (spilled.size > MAX_LISTED && oldest !== undefined) spilled.delete(oldest);
    host.onSpilled();
  }
}

/** What was cut of the output of a program is kept, and can be read as a resource too. */
export function withSpilled(host: Services, result: ToolResult): ToolResult {
  const { output } = result.structured as { output?: { spill?: { id?: unknown; bytes?: unknown } } };
  const { id, bytes } = output?.spill ?? {};
  if (!result.truncated || typeof id !== "string" || typeof bytes !== "number") return result;
  return { ...result, links: [linkTo(host, id, { name: "output of a command", size: bytes })] };
}
