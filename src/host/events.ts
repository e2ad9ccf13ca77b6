/**
 * What goes on record, streamed to a client that asked for it: the same events, without what hooks call silent, and with
 * secrets in paths and reasons replaced.
 */
import { createRedactor, type Redactor } from "../policy/index.ts";
import { loadKey, openStateFolder } from "../state/index.ts";
import { createSecret } from "../base/index.ts";
import { isSilent } from "./hooks.ts";
import type { Host } from "./host.ts";
import { toolFacts } from "./tool-facts.ts";

type Notify = (method: string, params: Readonly<Record<string, unknown>>) => void;

const subscribed = new WeakSet<Host>();

/** Once is enough: a second subscription adds nothing. */
export function subscribeEvents(host: Host, notify: Notify): { readonly subscribed: true } {
  if (subscribed.has(host)) return { subscribed: true };
  subscribed.add(host);
  const redact = createRedactor(
    Buffer.from(loadKey(openStateFolder(host.config.stateDir).keys, "placeholders", createSecret), "base64"),
  );
  host.audit.listen((event, fields) => {
    if (!isAboutSilent(host, fields["tool"]))
      notify("ringfence/events", redacted({ event, ...fields }, redact));
  });
  return { subscribed: true };
}

function isAboutSilent(host: Host, name: unknown): boolean {
  const tool = typeof name === "string" ? host.loadedRegistry?.get(name) : undefined;
  return tool !== undefined && isSilent(host, toolFacts(tool));
}

function redacted(
  fields: Readonly<Record<string, unknown>>,
  redact: Redactor,
): Readonly<Record<string, unknown>> {
  const { text, count } = redact(JSON.stringify(fields));
  return count === 0 ? fields : (JSON.parse(text) as Readonly<Record<string, unknown>>);
}
