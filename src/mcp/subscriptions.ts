/**
 * `subscriptions/listen` of the modern era: which requests wait for which notifications. A subscription is a request that
 * stays in flight until its client cancels it or the input ends.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
import { isObject } from "../base/index.ts";
import { invalidParams, type Request, type RequestId } from "../wire/index.ts";
import { declares, type Capabilities } from "./about.ts";
import type { Peer } from "./peer.ts";
import { PREFIX } from "./revisions.ts";

export type ListKind = "tools" | "prompts" | "resources";

/** What one of them hears of. */
interface Filter {
  readonly toolsListChanged?: true;
  readonly promptsListChanged?: true;
  readonly resourcesListChanged?: true;
  readonly resourceSubscriptions?: readonly string[];
  readonly taskIds?: readonly string[];
}

/** One message goes to each of them. */
const MAX_SUBSCRIPTIONS = 64;
/** Names in one subscription. */
const MAX_NAMES = 1000;
const ID_KEY = `${PREFIX}subscriptionId`;
/** By kind of list: the member of the filter. */
const LIST_MEMBER = {
  tools: "toolsListChanged",
  prompts: "promptsListChanged",
  resources: "resourcesListChanged",
} as const;

export class Subscriptions {
  readonly #peer: Peer;
  readonly #open: Map<RequestId, { readonly filter: Filter; readonly end: () => void }> = new Map();

  #isClosed = false;

  constructor(peer: Peer) {
    this.#peer = peer;
  }

  /** Resolves, when it is over, to what its result carries. */
  async listen(id: RequestId, filter: Filter): Promise<Readonly<Record<string, unknown>>> {
    if (this.#open.size >= MAX_SUBSCRIPTIONS)
      throw invalidParams(`there are ${MAX_SUBSCRIPTIONS} subscriptions already`);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#open.set(id, { filter, end: resolve });
    if (this.#isClosed) resolve();
    this.#tell(id, "notifications/subscriptions/acknowledged", { notifications: filter });
    await promise;
    this.#open.delete(id);
    return { _meta: { [ID_KEY]: id } };
  }

  end(id: RequestId): void {
    this.#open.get(id)?.end();
  }

  listChanged(kind: ListKind): void {
    this.#publish(`notifications/${kind}/list_changed`, {}, (filter) => filter[LIST_MEMBER[kind]] ?? false);
  }

  resourceUpdated(uri: string): void {
    this.#publish(
      "notifications/resources/updated",
      { uri },
      ({ resourceSubscriptions }) => resourceSubscriptions?.includes(uri) ?? false,
    );
  }

  /** @param members of its "DetailedTask", as JSON text; made only when somebody listens */
  taskChanged(taskId: string, members: () => string): void {
    if (this.#open.size === 0) return;
    const isMeant = ({ taskIds }: Filter): boolean => taskIds?.includes(taskId) ?? false;
    if ([...this.#open.values()].some(({ filter }) => isMeant(filter)))
      this.#publish("notifications/tasks", JSON.parse(`{${members()}}`) as object, isMeant);
  }

  close(): void {
    this.#isClosed = true;
    for (const { end } of this.#open.values()) end();
  }

  #publish(method: string, params: object, isMeant: (filter: Filter) => boolean): void {
    for (const [id, { filter }] of this.#open) if (isMeant(filter)) this.#tell(id, method, params);
  }

  #tell(id: RequestId, method: string, params: object): void {
    this.#peer.notify(method, { ...params, _meta: { [ID_KEY]: id } });
  }
}

/** The part of what was asked for that this server has. @throws RpcError -32602 */
export function readFilter(
  { params }: Request,
  capabilities: Capabilities,
  knowsTask: (id: string) => boolean,
): Filter {
  const wanted = params["notifications"];
  if (!isObject(wanted)) throw invalidParams("params.notifications must be an object that says what to listen for");
  const lists = (Object.keys(LIST_MEMBER) as ListKind[]).filter(
    (kind) => wanted[LIST_MEMBER[kind]] === true && declares(capabilities, kind, "listChanged"),
  );
  const uris = names(wanted["resourceSubscriptions"], "resourceSubscriptions");
  const taskIds = names(wanted["taskIds"], "taskIds")?.filter(knowsTask);
  return {
    ...Object.fromEntries(lists.map((kind) => [LIST_MEMBER[kind], true])),
    ...(uris && declares(capabilities, "resources", "subscribe") ? { resourceSubscriptions: uris } : {}),
    ...(taskIds ? { taskIds } : {}),
  };
}

function names(value: unknown, member: string): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.length <= MAX_NAMES && value.every((one) => typeof one === "string")) return value;
  throw invalidParams(`params.notifications.${member} must be a list of at most ${MAX_NAMES} strings`);
}
