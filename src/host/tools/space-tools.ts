/**
 * The tools of spaces as a host offers them: under their names, and of each whether a person has approved exactly this tool. For a
 * host that runs, and for `ringfence tools`, which starts none.
 */
import { createHash } from "node:crypto";
import { hostFlags, type Config } from "../../config/index.ts";
import type { Tool } from "../../contract/index.ts";
import { spaceTool } from "../../packs/index.ts";
import { reviewSpace, type Space, type SpaceTool } from "../../spaces/index.ts";
import type { UpstreamStore } from "../../state/index.ts";
import { terminalCommand } from "../../text/index.ts";

export interface KnownSpaceTool {
  readonly name: string;
  readonly folder: string;
  readonly hash: string;
  /** Whether a person has approved it as it is now. */
  readonly isApproved: boolean;
  /** What is registered. */
  readonly tool: Tool;
}

export interface KnownSpaceTools {
  readonly tools: readonly KnownSpaceTool[];
  /** Why a tool cannot have its name, by the folder of its space. */
  readonly refused: ReadonlyMap<string, readonly string[]>;
}

/** Where two approved tools have one name, the first holds. */
export function knownSpaceTools(store: UpstreamStore, spaces: readonly Space[]): KnownSpaceTools {
  const tools: KnownSpaceTool[] = [];
  const approved = new Set<string>();
  const refused = new Map<string, string[]>();
  for (const space of spaces) {
    const { folder } = space;
    const { same } = reviewSpace(store, space);
    for (const one of space.tools) {
      const name = nameOf(space, one);
      const isApproved = same.includes(one.id);
      if (isApproved && approved.has(name)) {
        refused.set(folder, [...(refused.get(folder) ?? []), `${one.id}: the name ${name} has another tool`]);
        continue;
      }
      if (isApproved) approved.add(name);
      tools.push({ name, folder, hash: one.hash, isApproved, tool: toolOf(name, space, one) });
    }
  }
  return { tools, refused };
}

/** By which a person looks at what waits. */
export function reviewSpacesCommand(config: Config): string {
  return terminalCommand(["spaces", "review", ...hostFlags(config)], config.stateDir);
}

const MAX_NAME_CHARS = 31;
const KEPT_CHARS = 24;

/** `space_ID_TOOL`; what is too long is cut and ends with six digits of its hash. */
function nameOf({ id }: Space, tool: SpaceTool): string {
  const whole = `space_${id}_${tool.id}`;
  const plain = whole.toLowerCase().replaceAll("-", "_");
  if (plain.length <= MAX_NAME_CHARS) return plain;
  return `${plain.slice(0, KEPT_CHARS)}_${createHash("sha256").update(whole).digest("hex").slice(0, 6)}`;
}

function toolOf(name: string, { id, folder }: Space, tool: SpaceTool): Tool {
  const { title, description, parameters, defaults, confirm, declaration, hash } = tool;
  return spaceTool({
    name,
    aliases: [`space:${id}:${tool.id}`],
    space: id,
    title,
    description,
    parameters,
    defaults,
    confirm,
    declaration,
    order: { folder, tool: tool.id, hash },
  });
}
