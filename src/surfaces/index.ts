/**
 * What there is besides tools: resources, prompts, completion, subscriptions. Read `answer-surface.ts` first. It may import
 * `base`, `text`, `scope`, `wire`, `contract`, `packs`, `jobs`, `mcp`, `session`, `pipeline` and `methods`.
 */
export { listen, type SubscribingPeer } from "./subscribe.ts";
export { answerSurface } from "./answer-surface.ts";
