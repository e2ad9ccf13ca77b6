/**
 * `ringfence/events`: what goes on record, streamed to a client that asked for it as it is written: without what hooks
 * call silent, and with secrets in paths and reasons replaced.
 */
import { Failure, createSecret } from "../base/index.ts";
import type { Registry } from "../contract/index.ts";
import type { Peer } from "../mcp/index.ts";
import { isSilent, type Services } from "../pipeline/index.ts";
import { createRedactor, type Redactor } from "../policy/index.ts";
import { toolFacts } from "../session/index.ts";
import { loadKey, openStateFolder } from "../state/index.ts";
import { defineMethod, type Method } from "./define-method.ts";
import * as z from "zod";
import { redactData } from "../text/index.ts";

type Entry = Readonly<Record<string, unknown>>;

const subscribed = new WeakSet<Peer>();

export const eventMethods: readonly Method[] = [
  defineMethod({
    name: "ringfence/events/subscribe",
    summary: "Streams the [record](policy.md#the-record), redacted. Asking again changes nothing.",
    result: "`{subscribed: true}`; from then on notifications `ringfence/events`, one for each line of the record.",
    params: z.strictObject({}),
    order: "none",
    async answer(host, _params, { peer }) {
      if (!peer)
        throw new Failure("unsupported", "Cannot stream the record: nobody is connected", {
          hint: "Subscribe over a connection, such as stdin and stdout.",
        });
      await subscribe(host, peer);
      return { subscribed: true };
    },
  }),
];

async function subscribe(host: Services, peer: Peer): Promise<void> {
  if (subscribed.has(peer)) return;
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
}

function redacted(entry: Entry, redact: Redactor): Entry {
  const { json, count } = redactData(entry, redact);
  return count === 0 ? entry : (JSON.parse(json) as Entry);
}
