/**
 * What there is besides tools: resources, prompts, completion, subscriptions. Read `answer-surface.ts` first. It may import
 * `calls`, `base`, `text`, `scope`, `wire`, `review`, `contract`, `packs`, `jobs`, `mcp`, `page`, `session`, `pipeline` and
 * `methods`.
 */
export { listen, type SubscribingPeer } from "./subscribe.ts";
export { answerSurface } from "./answer-surface.ts";
export { PROPOSAL_VIEW, withClientView } from "./client-view.ts";
export { shownInput } from "./shown-input.ts";
