/**
 * Tools come and go while a host runs. Everything of one change is done before anybody hears of it, so that a list that is
 * asked for because of the notice has all of it. A call that is under way keeps its tool to its end; a stored call of a tool
 * that is gone waits until the tool is there again.
 */
import { failureText, reportBug, toFailure } from "../../base/index.ts";
import { checkInput, type Registry, type Tool } from "../../contract/index.ts";
import type { ChangedTools, ToolRefusal, Services, ToolsToChange } from "../../pipeline/index.ts";
import { hiddenBecause } from "../offer.ts";

/** Each tool that is added stands for itself: one that cannot be used is refused with the reason and harms no other. */
export function changeTools(
  host: Services,
  registry: Registry,
  { add = [], remove = [] }: ToolsToChange,
): ChangedTools {
  const removed = remove.filter((name) => registry.unregister(name));
  const refused: ToolRefusal[] = [];
  const added = add.flatMap((tool) => {
    const refusal = refusalOf(host, registry, tool);
    if (refusal === undefined) return [tool.name];
    refused.push({ name: tool.name, ...refusal });
    return [];
  });
  if (added.length > 0 || removed.length > 0) host.audit.record("tools", { added, removed });
  return { added, removed, refused };
}

function refusalOf(host: Services, registry: Registry, tool: Tool): Omit<ToolRefusal, "name"> | undefined {
  const hidden = hiddenBecause(tool, host.config);
  if (hidden !== undefined) return { code: "denied", why: hidden };
  try {
    if (tool.local) checkInput(tool);
    registry.register(tool);
    return undefined;
  } catch (thrown) {
    const { code, data } = toFailure(thrown, () => reportBug(thrown));
    return { code, why: failureText(data) };
  }
}
