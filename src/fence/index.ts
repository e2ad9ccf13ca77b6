/**
 * The second wall: the kernel holds this process to its roots, whatever code runs in it. The first wall is the scope,
 * which every call goes through; neither relies on the other.
 */
export { enterFence, offeredFence, parseMark, type FenceOptions } from "./enter-fence.ts";
export { describeFence, NO_FENCE, type FenceMode, type FenceState } from "./fence-state.ts";
export { seatbeltProfile, type SeatbeltPlan } from "./seatbelt-profile.ts";
