/**
 * The page of a review in the browser: a server that has one port and nothing else, and what it serves. Read `protocol.ts` (what
 * it says to the reviewer that started it), `server/gate.ts` (who may ask it) and `server/serve-page.ts`; `browser` is what
 * runs in the browser, and is bundled by `bundle-page.ts`. It may import `calls`, `base`, `text`, `approval`, `pool`, `proc` and
 * `review`.
 */
export { pageAssets } from "./bundle-page.ts";
export { clientViewOf, type ClientView } from "./client-view.ts";
export {
  PAGE_ASKS,
  type ActivityCount,
  type BareReview,
  type FromServer,
  type LoadedProposal,
  type PageAnswers,
  type PageAskName,
  type PageAsks,
  type PageOrder,
  type PolicyView,
  type QueueItem,
  type RecordLine,
  type StaleSection,
  type ToServer,
} from "./protocol.ts";
export { createColorHandler } from "./server/color-texts.ts";
export { servePage } from "./server/serve-page.ts";
