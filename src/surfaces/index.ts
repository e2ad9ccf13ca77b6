/**
 * What there is besides tools: resources, prompts, completion, subscriptions. Read `answer-surface.ts` first.
 */
export type { SubscribingPeer } from "./subscribe.ts";
export { answerSurface, listen } from "./answer-surface.ts";
