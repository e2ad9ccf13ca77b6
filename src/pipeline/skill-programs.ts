/**
 * What a program that a call of a skill starts is held to: the directories of the skill's permissions as far as they lie in the
 * roots, the hosts that both the skill and the program's own declaration list, and no secret that the skill does not name. A fence
 * is around directories, so a skill that names anything else starts no programs.
 */
import { Failure } from "../base/index.ts";
import { directoriesOf, type SkillPermissions } from "../policy/index.ts";
import type { RunRequest } from "../contract/index.ts";
import { isInside } from "../scope/index.ts";
import type { Services } from "./services.ts";

type Held = Pick<RunRequest, "within" | "offered" | "held">;

/** @throws Failure `denied` */
export function narrowedFor({ config, narrowed }: Services, skill: SkillPermissions | undefined): Held {
  if (!skill) return narrowed;
  const directories = directoriesOf(skill);
  if (!directories)
    throw new Failure(
      "denied",
      "Cannot start a program for this skill: its permissions name more than whole directories",
      {
        hint: "Name directories (/path/** ) in permissions.fs of its manifest.",
        retry: "never",
      },
    );
  const bases = narrowed.within ?? config.roots.map(({ path }) => path);
  const shared = (paths: readonly string[]): string[] =>
    paths.flatMap((path) =>
      bases.flatMap((base) => (isInside(path, base) ? [path] : isInside(base, path) ? [base] : [])),
    );
  const writable = shared(directories.writable);
  const readable = shared(directories.readable).filter((path) => !writable.some((one) => isInside(path, one)));
  return {
    ...narrowed,
    within: [...new Set([...writable, ...readable])],
    held: { onlyRead: readable, secrets: skill.secrets, reach: skill.net },
  };
}
