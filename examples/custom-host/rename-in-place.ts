/**
 * A tool that changes something by itself: another name in the same directory. `plan` says what a person would approve;
 * `execute` runs only when that proposal is applied, with the input that was stored, after the host has checked that the
 * paths are as they were.
 *
 * What a local tool does not have: atomicity and undo. Prefer `defineTool` with effect "change" where a change set can
 * say what you mean.
 */
import { existsSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { defineLocalTool, Failure, type AnyLocalTool, type LocalToolContext } from "ringfence";
import { z } from "zod";

const input = z.strictObject({
  path: z.string().describe("The file or directory, relative to the first root."),
  new_name: z.string().describe("Its new name, without a directory."),
});

export const renameInPlace: AnyLocalTool = defineLocalTool({
  name: "rename_in_place",
  description: "Gives a file or directory another name in the directory where it is.",
  input,
  mutates: true,
  async plan(wanted, ctx) {
    const { from, to } = await resolveBoth(wanted, ctx);
    return { summary: `Rename ${basename(from)} to ${basename(to)}`, paths: [from, to] };
  },
  async execute(wanted, ctx) {
    const { from, to } = await resolveBoth(wanted, ctx);
    renameSync(from, to);
    return { from, to };
  },
});

/** Checked for the plan and again for the execution: between the two lie hours. */
async function resolveBoth(
  { path, new_name }: z.output<typeof input>,
  ctx: LocalToolContext,
): Promise<{ from: string; to: string }> {
  if (new_name !== basename(new_name) || new_name === "." || new_name === "..")
    throw new Failure("invalid_input", `Cannot rename "${path}": "${new_name}" is not a plain name`);
  const from = await ctx.resolvePath(path);
  // What does not exist yet has its canonical path too. Outside of the roots this throws, as it does beside a root.
  const to = await ctx.resolvePath(join(dirname(from), new_name));
  if (existsSync(to)) throw new Failure("already_exists", `Cannot rename "${path}": "${new_name}" exists`);
  return { from, to };
}
