/**
 * Other MCP servers, brought under the same pipeline: their tools as tools of somebody else, from a list that a person
 * approved; connections that are made with the first call, watched, and made again. The SDK's client is loaded with the first
 * connection and not before. It may import `base`, `text`, `pattern`, `reach`, `state`, `wire`, `proc` and `contract`.
 */
export { serveHttpRelay } from "./http-relay.ts";
export { knownTools, offeredTools, type KnownTool } from "./offered-tools.ts";
export {
  compareTools,
  describeView,
  hashTools,
  openUpstreamStore,
  reviewOf,
  showTool,
  viewServer,
  type ListedTool,
  type Review,
  type ToolChanges,
} from "./review.ts";
export { Upstreams } from "./upstreams.ts";
