/**
 * Subscriptions to single files: `resources/subscribe` and `resources/unsubscribe` of the handshake era, and what
 * `subscriptions/listen` names in the modern one. A subscription is a call like a read, under the same rules and on record;
 * after it, the file is looked at every second.
 */
import { Failure, reportBug, type Timer } from "../base/index.ts";
import type { ResourceInput } from "../jobs/index.ts";
import type { Announcer, Peer } from "../mcp/index.ts";
import { callOf, dispatch, readJob, type CallPolicy, type Services } from "../pipeline/index.ts";
import { invalidParams, RpcError } from "../wire/index.ts";
import { notThere, resourceCall, succeeded, type SurfaceRequest } from "./resources.ts";

export interface SubscribingPeer {
  readonly peer: Peer;
  readonly announcer: Announcer;
  /** Made with the first subscription. */
  watch?: ResourceWatch;
}

type Kind = "subscribed" | "listening";

export async function subscribe(asked: Subscribing): Promise<string> {
  await begin(asked, asked.request.params["uri"], "subscribed");
  return asked.context.revision.result({});
}

/** Ends a subscription; one that does not exist ends in the same way. */
export function unsubscribe({ request, context, connection }: Subscribing): string {
  const { uri } = request.params;
  if (typeof uri !== "string") throw invalidParams("params.uri must be a string");
  connection.watch?.remove(uri, "subscribed");
  return context.revision.result({});
}

/** @returns those that will be heard of: files that are there and may be read, as far as there is room */
export async function listen(
  host: Services,
  asked: Omit<Subscribing, "host">,
  uris: readonly string[],
): Promise<readonly string[]> {
  const honoured: string[] = [];
  for (const uri of new Set(uris)) {
    try {
      await begin({ ...asked, host }, uri, "listening");
      honoured.push(uri);
    } catch (thrown) {
      if (!(thrown instanceof RpcError)) throw thrown;
    }
  }
  return honoured;
}

export interface Subscribing extends SurfaceRequest {
  readonly connection: SubscribingPeer;
}

/** @throws RpcError */
async function begin({ host, request, context, connection }: Subscribing, uri: unknown, kind: Kind): Promise<void> {
  const watch = (connection.watch ??= new ResourceWatch(host, (changed, isSubscribed) => {
    if (isSubscribed) connection.peer.notify("notifications/resources/updated", { uri: changed });
    connection.announcer.resourceUpdated(changed);
  }));
  let under: CallPolicy | undefined;
  const what = await resourceCall(host, uri, "watch", (by) => (under = by));
  const { uri: address } = what.resource;
  const outcome = succeeded(address, await dispatch(host, callOf(request, context, what)));
  const [mark = ""] = JSON.parse(outcome.members) as readonly string[];
  if (mark === "" || !under) throw notThere(address);
  if (watch.isFull && !watch.has(address))
    throw invalidParams("there are too many subscriptions already; end one of them");
  if (!context.signal.aborted) watch.add(what.resource, under, mark, kind);
}

const EVERY_MS = 1000;
/** Files that one process watches. */
const MAX_WATCHED = 64;

interface Watched {
  readonly resource: ResourceInput;
  readonly under: CallPolicy;
  mark: string;
  /** By handshake at most once, by each subscription of the modern era once more. */
  subscribed: boolean;
  listeners: number;
}

class ResourceWatch {
  readonly #host: Services;
  readonly #tell: (uri: string, subscribed: boolean) => void;
  readonly #watched: Map<string, Watched> = new Map();
  #timer: Timer | undefined;

  constructor(host: Services, tell: (uri: string, subscribed: boolean) => void) {
    this.#host = host;
    this.#tell = tell;
  }

  has(uri: string): boolean {
    return this.#watched.has(uri);
  }

  get isFull(): boolean {
    return this.#watched.size >= MAX_WATCHED;
  }

  /** @param mark of the file as it is now */
  add(resource: ResourceInput, under: CallPolicy, mark: string, kind: Kind): void {
    const { uri } = resource;
    const known = this.#watched.get(uri) ?? { resource, under, mark, subscribed: false, listeners: 0 };
    if (kind === "subscribed") known.subscribed = true;
    else known.listeners++;
    this.#watched.set(uri, known);
    this.#timer ??= this.#later();
  }

  remove(uri: string, kind: Kind): void {
    const known = this.#watched.get(uri);
    if (!known) return;
    if (kind === "subscribed") known.subscribed = false;
    else known.listeners--;
    if (!known.subscribed && known.listeners <= 0) this.#watched.delete(uri);
    if (this.#watched.size === 0) this.close();
  }

  close(): void {
    this.#watched.clear();
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }

  #later(): Timer {
    const timer = this.#host.clock.after(EVERY_MS, () => void this.#look());
    timer.unref();
    return timer;
  }

  async #look(): Promise<void> {
    // A client that does not read what it has gets nothing more to read.
    if (!this.#host.isOutputHeld()) {
      for (const group of groupsOf([...this.#watched.values()])) await this.#compare(group);
    }
    this.#timer = this.#watched.size > 0 ? this.#later() : undefined;
  }

  async #compare(group: readonly Watched[]): Promise<void> {
    const [first] = group;
    if (!first) return;
    try {
      const resources = group.map(({ resource }) => resource);
      const marks = await readJob(this.#host, "watch", { resources }, { under: first.under });
      group.forEach((one, index) => this.#note(one, marks[index] ?? ""));
    } catch (thrown) {
      // A job that was not done in time is done the next time.
      if (!(thrown instanceof Failure)) reportBug(thrown);
    }
  }

  #note(watched: Watched, mark: string): void {
    if (mark === watched.mark) return;
    watched.mark = mark;
    const { uri } = watched.resource;
    // It may have been let go while it was looked at.
    if (this.#watched.get(uri) === watched) this.#tell(uri, watched.subscribed);
  }
}

/** Groups the watched files by the rules under which they are looked at. */
function groupsOf(all: readonly Watched[]): Iterable<Watched[]> {
  return Map.groupBy(all, ({ under: { facts, mode, granted } }) => JSON.stringify([facts, mode, granted])).values();
}
