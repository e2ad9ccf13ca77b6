/**
 * The host as the service of a session. What needs the tools waits for the pipeline, which is loaded once and later than
 * the handshake; what reaches files waits for the roots of a client that declared some.
 */
import { logLine } from "../base/index.ts";
import type { About, Announcer, Peer, RequestContext, Service } from "../mcp/index.ts";
import type { Request } from "../wire/index.ts";
import { greetBridge } from "../session/index.ts";
import { ClientRoots } from "./client-roots.ts";
import type { Connection } from "../surfaces/index.ts";
import type { Host } from "./host.ts";
import type * as latePartsModule from "./late-parts.ts";

type Pipeline = typeof latePartsModule;

const METHODS: ReadonlySet<string> = new Set([
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "resources/subscribe",
  "resources/unsubscribe",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "ringfence/proposals/list",
  "ringfence/proposals/get",
  "ringfence/proposals/apply",
  "ringfence/proposals/reject",
  "ringfence/history/list",
  "ringfence/history/undo",
  "ringfence/policy/explain",
  "ringfence/grants/list",
  "ringfence/grants/add",
  "ringfence/grants/revoke",
  "ringfence/events/subscribe",
  "ringfence/bridge/offer",
  "ringfence/bridge/tools",
]);

let pipeline: Pipeline | Promise<Pipeline> | undefined;

/** Calls wait for one promise, so they go on in the order they came. */
export function loadPipeline(): Pipeline | Promise<Pipeline> {
  pipeline ??= import("./late-parts.ts").then((loaded) => {
    pipeline = loaded;
    return loaded;
  });
  return pipeline;
}

export function createHostService(host: Host, about: About, peer: Peer, announcer: Announcer): Service {
  const roots = new ClientRoots(host, peer);
  const connection: Connection = { peer, announcer };
  host.onSpilled = () => announcer.listChanged("resources");
  const answerLoaded = (request: Request, context: RequestContext): string | Promise<string> => {
    if (needsRoots(request.method)) host.onWork();
    const loaded = loadPipeline();
    return loaded instanceof Promise
      ? loaded.then(({ answerMethod }) => answerMethod(host, request, context, connection))
      : loaded.answerMethod(host, request, context, connection);
  };
  return {
    about,
    strict: host.config.strict,
    methods: METHODS,
    answer: (request, context) =>
      roots.known && needsRoots(request.method)
        ? roots.known.then(() => answerLoaded(request, context))
        : answerLoaded(request, context),
    taskAfterMs: () => host.config.tasksAfterMs || undefined,
    greeted: ({ capabilities }) => {
      roots.declare(capabilities);
      const { bridge, config } = host;
      const why = config.bridge.enabled ? greetBridge(bridge, capabilities, peer) : undefined;
      if (why !== undefined) logLine(`the tools that the client offers are not taken: ${why}`);
    },
    notice: (method) => roots.notice(method),
    watch: async (uris, request, context) => {
      await roots.known;
      const { listen } = await import("../surfaces/index.ts");
      return await listen(host, { request, context, connection }, uris);
    },
    unwatch: (uris) => uris.forEach((uri) => connection.watch?.remove(uri, "listening")),
    endInput: () => {
      roots.close();
      connection.watch?.close();
    },
  };
}

/** What reaches no files and no proposals. */
const WITHOUT_ROOTS: ReadonlySet<string> = new Set([
  "tools/list",
  "resources/templates/list",
  "resources/unsubscribe",
  "prompts/list",
]);

function needsRoots(method: string): boolean {
  return !WITHOUT_ROOTS.has(method);
}
