/**
 * Tools come and go while a host runs. Everything of one change is done before anybody hears of it, so that a list that is
 * asked for because of the notice has all of it. A call that is under way keeps its tool to its end; a stored call of a tool
 * that is gone waits until the tool is there again.
 */
import { failureText, reportBug, toFailure } from "../../base/index.ts";
import type { Registry, Tool } from "../../contract/index.ts";
import type { ChangedTools, Services, ToolsToChange } from "../../pipeline/index.ts";
import { hiddenBecause } from "../offer.ts";

/** Each tool that is added stands for itself: one that cannot be used is refused with the reason and harms no other. */
export function changeTools(
  host: Services,
  registry: Registry,
  { add = [], remove = [] }: ToolsToChange,
): ChangedTools {
  const removed = remove.filter((name) => registry.unregister(name));
  const refused: { readonly name: string; readonly why: string }[] = [];
  const added = add.flatMap((tool) => {
    const why = refusal(host, registry, tool);
    if (why === undefined) return [tool.name];
    refused.push({ name: tool.name, why });
    return [];
  });
  if (added.length > 0 || removed.length > 0) host.audit.record("tools", { added, removed });
  return { added, removed, refused };
}

function refusal(host: Services, registry: Registry, tool: Tool): string | undefined {
  const hidden = hiddenBecause(tool, host.config);
  if (hidden !== undefined) return hidden;
  try {
    registry.register(tool);
    return undefined;
  } catch (thrown) {
    return failureText(toFailure(thrown, () => reportBug(thrown)).data);
  }
}
