/**
 * The second wall: the kernel holds this process to its roots, whatever code runs in it. The first wall is the scope,
 * which every call goes through; neither relies on the other.
 *
 * Read `landlock.ts` (files and TCP) and `seccomp.ts` (system calls), then `fence-rules.ts`, `enter-fence.ts` (the host
 * goes in, with `every-thread.ts`) and `keeper.ts` (a program is started inside).
 * It may import `base`, `sys` and `reach`.
 */
export type { FilterReach, NetworkReach } from "./call-rules.ts";
export {
  describeFence,
  enterFence,
  NO_FENCE,
  offeredFence,
  parseMark,
  proveFence,
  type FenceMode,
  type FenceOptions,
  type FenceState,
} from "./enter-fence.ts";
export { childRules, helperRules, offeredChildFence, type ChildFencePlan } from "./fence-rules.ts";
export { beProgram, EXEC_MARK, type ExecPlan, type KeeperHelp, type KeeperWord, type ProgramFence } from "./keeper.ts";
export { seatbeltProfile } from "./seatbelt-profile.ts";
export { BROKER_MARK, encodedFilter, finishHelperFence, HELPER_MARK } from "./seccomp.ts";
export type { ControlWord } from "./supervise/start-supervising.ts";
export { offeredSupervision } from "./supervise/offered-supervision.ts";
export { supervise, type SuperviseInput, type SupervisePlan } from "./supervise/supervise.ts";
