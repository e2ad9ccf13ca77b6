/**
 * What the launcher starts for a call of a space's tool. It trusts no host, so it reads the space itself, anew for every call: the
 * folder has to be one of the configuration's, and the tool exactly the one that a person approved.
 */
import { loadFileParsers } from "../config/index.ts";
import { Failure } from "../base/index.ts";
import type { CommandDeclaration, SpaceOrder } from "../proc/index.ts";
import { isSpaceFolder } from "./find-spaces.ts";
import { readSpace } from "./read-space.ts";

/** @throws Failure `not_found`, `denied` */
export async function startedTool(
  { folder, tool: id, hash }: SpaceOrder,
  directories: readonly string[],
): Promise<CommandDeclaration> {
  const what = `Cannot run the tool "${id.slice(0, 60)}" of the space ${folder.slice(0, 200)}`;
  const space = isSpaceFolder(folder, directories) ? readSpace(folder, await loadFileParsers()) : undefined;
  const tool = space?.tools.find((one) => one.id === id);
  if (!tool)
    throw new Failure("not_found", `${what}: ${space?.problems[0] ?? "it is gone"}`, {
      hint: "The space was removed or changed. Ask for tools/list again.",
      retry: "never",
    });
  if (tool.hash !== hash)
    throw new Failure("denied", `${what}: it has changed since a person approved it`, {
      hint: "`ringfence spaces review` shows what has changed, and approves it.",
    });
  return tool.declaration;
}
