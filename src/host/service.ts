/**
 * The host as the service of a session. What needs the tools waits for the pipeline, which is loaded once and later than
 * the handshake; what reaches files waits for the roots of a client that declared some.
 */
import { logLine } from "../base/index.ts";
import type { About, Announcer, Peer, Service } from "../mcp/index.ts";
import { greetBridge } from "../session/index.ts";
import { ClientRoots } from "./client-roots.ts";
import type { SubscribingPeer } from "../surfaces/index.ts";
import type { Host } from "./host.ts";
import { loadLateParts, loadSurfaces } from "./lazy.ts";

const PROTOCOL_METHODS: ReadonlySet<string> = new Set([
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
]);

/** Which methods of this name there are is known to the table in `methods`, which is loaded later. */
function isOwn(method: string): boolean {
  return method.startsWith("ringfence/");
}

export function createHostService(host: Host, about: About, peer: Peer, announcer: Announcer): Service {
  const roots = new ClientRoots(host, peer);
  const connection: SubscribingPeer = { peer, announcer };
  host.onSpilled = () => announcer.listChanged("resources");
  host.onTools = () => announcer.listChanged("tools");
  return {
    about,
    strict: host.config.strict,
    methods: { has: (method) => PROTOCOL_METHODS.has(method) || isOwn(method) },
    async answer(request, context) {
      const { method } = request;
      const turn = isOrdered(method) ? host.order.arrive() : undefined;
      let watched: Promise<void> | undefined;
      try {
        if (needsRoots(method)) {
          await roots.known;
          watched = host.onWork();
        }
        // The worker loads while this thread does.
        if (method === "tools/call") host.warm();
        const { answerMethod } = await loadLateParts();
        await watched;
        return await answerMethod(host, request, { context, connection, turn });
      } finally {
        if (method === "tools/list") host.warmSoon();
        turn?.leave();
      }
    },
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
      const { listen } = await loadSurfaces();
      return await listen(host, { request, context, connection }, uris);
    },
    unwatch: (uris) => uris.forEach((uri) => connection.watch?.remove(uri, "listening")),
    beforeAnswers: () => host.writeRecord(),
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

/** Calls take their place in the order at the door. So do all methods of ours; those that wait for nothing leave it at once. */
function isOrdered(method: string): boolean {
  return method === "tools/call" || isOwn(method);
}
