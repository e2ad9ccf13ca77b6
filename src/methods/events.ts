/**
 * `ringfence/events`: what goes on record, streamed to a client that asked for it as it is written: without what hooks
 * call silent, and with secrets in paths and reasons replaced.
 */
import { createSecret } from "../base/index.ts";
import type { Registry } from "../contract/index.ts";
import type { Peer } from "../mcp/index.ts";
import { isSilent, type Services } from "../pipeline/index.ts";
import { createRedactor, type Redactor } from "../policy/index.ts";
import { toolFacts } from "../session/index.ts";
import { loadKey, openStateFolder } from "../state/index.ts";

type Entry = Readonly<Record<string, unknown>>;

const subscribed = new WeakSet<Peer>();

/** Subscribes a peer; asking again changes nothing. */
export async function subscribeToEvents(host: Services, peer: Peer): Promise<{ readonly subscribed: true }> {
  if (subscribed.has(peer)) return { subscribed: true };
  subscribed.add(peer);
  const { keys } = openStateFolder(host.config.stateDir);
  const redact = createRedactor(Buffer.from(loadKey(keys, "placeholders", createSecret), "base64"));
  let registry: Registry | undefined;
  host.audit.listen((entry) => {
    const { tool: name } = entry;
    const tool = typeof name === "string" ? registry?.get(name) : undefined;
    if (tool && isSilent(host, toolFacts(tool))) return;
    peer.notify("ringfence/events", redacted(entry, redact));
  });
  registry = await host.registry();
  return { subscribed: true };
}

function redacted(entry: Entry, redact: Redactor): Entry {
  const { text, count } = redact(JSON.stringify(entry));
  return count === 0 ? entry : (JSON.parse(text) as Entry);
}
