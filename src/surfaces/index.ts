/**
 * What there is besides tools: resources, prompts, completion, subscriptions. Read `answer-surface.ts` first.
 */
export { listen, type SubscribingPeer } from "./subscribe.ts";
export { answerSurface } from "./answer-surface.ts";
