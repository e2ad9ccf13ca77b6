/**
 * A change is decided once more on the paths that it really touches, where it is prepared. Whoever only wants to know what would
 * be decided prepares nothing, so the places behind its links are looked up here, and the stricter of both decisions holds.
 *
 * Usual mistake: to take the caller's words alone. A link in a repository can lead to `.git/hooks`, and has a name that costs
 * nothing.
 */
import { basename, dirname, join, resolve } from "node:path";
import { Failure } from "../../base/index.ts";
import type { Tool } from "../../contract/index.ts";
import { EFFECTS, isPath, withoutSuggestion, type Decision, type PathTarget, type Target } from "../../policy/index.ts";
import type { Assessed, ReadCall } from "../call.ts";
import { readJob } from "../jobs.ts";
import type { Services } from "../services.ts";
import { assess } from "./assess.ts";
import { STRICTNESS } from "./hooks.ts";

/** Where a change says so, nothing is written: it would not be what its words say. */
const NOWHERE: Decision = {
  type: "deny",
  reason: "it is a link to something that does not exist, or lies below a file",
  source: "link",
  rule: "denied",
  risk: "R5",
};

/** @param assessed by the words of the call; handed back where no link leads to something that is decided more strictly */
export async function assessBehindLinks(host: Services, asked: ReadCall, assessed: Assessed): Promise<Assessed> {
  const { targets, decision, facts } = assessed;
  const isChange = assessed.changes && !EFFECTS[facts.effect].startsPrograms;
  if (!isChange || targets === "all" || decision.type === "deny") return assessed;
  const places = new Map<string, string>();
  for (const target of targets.filter(isPath<Target>)) {
    const real = await placeBehind(host, asked, target);
    if (real === null) return { ...assessed, decision: NOWHERE };
    if (real !== undefined) places.set(target.path, real);
  }
  if (places.size === 0) return assessed;
  const again = assess(host, { ...asked, tool: atPlaces(asked.tool, places) }).decision;
  if (STRICTNESS[again.type] <= STRICTNESS[decision.type]) return assessed;
  const reason = `${again.reason}, by where its path leads`;
  return { ...assessed, decision: { ...withoutSuggestion(again), reason } };
}

/** @returns `null` for a link to what is not there and for what lies below a file, `undefined` for what the scope has its own words for */
async function placeBehind(
  host: Services,
  { call }: ReadCall,
  { path, mode }: PathTarget,
): Promise<string | null | undefined> {
  const real = async (one: string): Promise<string> =>
    await readJob(host, "resolve", { path: one, mayBeNew: true }, { signal: call.signal });
  const below = async (one: string): Promise<string> => join(await real(dirname(one)), basename(one));
  try {
    // What is taken away is the link, and not what it leads to.
    if (mode === "remove") return await below(path);
    if (!path.split("/").includes("..")) return await real(path);
    // Where a name on the way is not there, the text alone says where the path leads.
    const asText = resolve(host.config.roots[0]?.path ?? "/", path);
    return await real(await below(path).catch(() => asText));
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return thrown.code === "not_found" && mode === "write" ? null : undefined;
  }
}

function atPlaces(tool: Tool, places: ReadonlyMap<string, string>): Tool {
  const moved = <T extends Target>(target: T): T =>
    isPath<Target>(target) ? { ...target, path: places.get(target.path) ?? target.path } : target;
  return {
    ...tool,
    access: (input) => {
      const touched = tool.access(input);
      return touched === "all" ? touched : touched.map(moved);
    },
    ...(tool.parts && {
      parts: (input) => (tool.parts?.(input) ?? []).map((part) => ({ ...part, access: part.access.map(moved) })),
    }),
  };
}
