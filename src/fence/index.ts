/**
 * The second wall: the kernel holds this process to its roots, whatever code runs in it. The first wall is the scope,
 * which every call goes through; neither relies on the other.
 */
export type { ResourceLimits } from "./become-program.ts";
export { childRules, type ChildFencePlan } from "./child-rules.ts";
export { beProgram, EXEC_MARK, type ExecPlan, type KeeperWord } from "./exec-stage.ts";
export { enterFence, offeredFence, parseMark, type FenceOptions } from "./enter-fence.ts";
export { describeFence, NO_FENCE, type FenceMode, type FenceState } from "./fence-state.ts";
export { seatbeltProfile, type SeatbeltPlan } from "./seatbelt-profile.ts";
export type { FenceRule } from "./landlock.ts";
export type { NetworkReach } from "./call-rules.ts";
export { offeredChildFence } from "./child-rules.ts";
export { helperRules } from "./fence-rules.ts";
export { encodedFilter, finishHelperFence, HELPER_MARK } from "./seccomp.ts";
