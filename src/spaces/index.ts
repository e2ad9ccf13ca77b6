/**
 * Spaces of Construct: folders with tools of their own, whatever somebody has put there. Read `find-spaces.ts` (which folders),
 * `read-space.ts` (one folder), `read-tool.ts` (one tool as a command of ours), `review-space.ts` (what a person approved). It
 * may import `base`, `text`, `scope`, `state`, `proc`, `contract`, `upstream` and `config`.
 */
export { findSpaces } from "./find-spaces.ts";
export { markSpaces } from "./mark-spaces.ts";
export type { Space } from "./read-space.ts";
export type { SpaceTool } from "./read-tool.ts";
export {
  approveSpace,
  describeSpace,
  openSpaceStore,
  reviewSpace,
  viewSpace,
  type SpaceReview,
  type SpaceView,
} from "./review-space.ts";
export { startedTool } from "./started-tool.ts";
