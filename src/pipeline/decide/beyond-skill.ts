/**
 * What the permissions of a skill leave out by the words of a call, before anything is looked at. The workers hold it once more
 * to what its paths really lead to. A tool whose work is done elsewhere, or by code of a program's own, cannot be held to
 * anything, so a skill with permissions has none of them.
 */
import {
  closedByReach,
  EFFECTS,
  isPath,
  type SkillPermissions,
  type Target,
  type ToolFacts,
} from "../../policy/index.ts";
import { placeTarget, type PlacePath } from "../../session/index.ts";
import type { NarrowedCall } from "./narrow-call.ts";

export function beyondSkill(
  skill: SkillPermissions,
  { effect, local }: ToolFacts,
  targets: readonly Target[] | "all",
  place: PlacePath,
): NarrowedCall["leftOut"] {
  const { isOpenWorld, onlyReads, startsPrograms } = EFFECTS[effect];
  if (isOpenWorld && skill.net.length > 0)
    return refused("the hosts that its permissions name are for programs, and no other tool can be held to them");
  if (local || isOpenWorld) return refused("what it does cannot be held to the permissions of a skill");
  // As of `web_fetch`, whatever the effect of the tool is.
  if (targets !== "all" && targets.some(({ kind }) => kind === "url" || kind === "host"))
    return refused("it would send something to an address, which no permission of a skill gives a tool");
  if (targets === "all") return onlyReads ? undefined : refused("what it would change is not known");
  const [isOutToRead, isOutToWrite] = [closedByReach(skill, true), closedByReach(skill, false)];
  const beyond = targets.filter(isPath<Target>).find((target) => {
    const { absolute } = placeTarget(target, place);
    const isWrite = target.mode !== "metadata" && target.mode !== "read";
    const isClosed = isWrite || !(onlyReads || startsPrograms) ? isOutToWrite : isOutToRead;
    return absolute !== undefined && isClosed(absolute);
  });
  return beyond && refused(`its permissions leave out "${beyond.path.slice(0, 200)}"`);
}

function refused(why: string): NarrowedCall["leftOut"] {
  return { by: "skill", why };
}
