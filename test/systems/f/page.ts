/**
 * The contract of fusion-ai-host's page on tools, as a user of it has it in a file: the interfaces are the page's own words, and
 * the tool is its example, whose names the page's copy leaves blank.
 */
export const PACKAGE = "@tikab-interactive/fusion-ai-host";

/** What the page calls the contract, with the tool of its example. */
export const PAGE: string = `import { defineLocalTool } from "${PACKAGE}";
import { rename } from "node:fs/promises";
import { z } from "zod";

export interface LocalTool<I = unknown> {
	name: string;
	description: string;
	/** Zod schema for the input; the runtime validates the dispatched input against it. */
	input: z.ZodType<I>;
	/** True for tools that change the disk — gated behind propose/apply. */
	mutates?: boolean;
	/** Dry-run for a mutating tool: compute the proposal without touching disk. */
	plan?: (input: I, ctx: LocalToolContext) => Promise<Proposal> | Proposal;
	/** Run the tool (the apply, for a mutating tool). Returns JSON-serialisable output. */
	execute: (input: I, ctx: LocalToolContext) => Promise<unknown> | unknown;
}

/** The context a tool's handlers receive: the host's scope + a scope-checked path resolver. */
export interface LocalToolContext {
	/** The allowed root directories this host exposes. */
	roots: string[];
	/** Resolve a user-supplied path inside the configured roots (throws if it escapes). */
	resolvePath: (p: string) => Promise<string>;
}

export interface Proposal {
	/** One-line summary, e.g. "Overwrite report.txt (1.2 kB → 1.4 kB)". */
	summary: string;
	/** A unified-ish \`+/-\` diff or preview, where the change has one. */
	diff?: string;
	/** The absolute path(s) the apply will touch. */
	paths: string[];
	/** Bytes written / removed / copied, when meaningful. */
	bytes?: number;
}

export const renameInPlace = defineLocalTool({
  name: "rename_in_place",
  description: "Rename a file within the same folder.",
  input: z.object({ from: z.string(), to: z.string() }),
  mutates: true,
  plan: async ({ from, to }, ctx) => ({
    summary: \`Rename \${from} → \${to}\`,
    paths: [await ctx.resolvePath(from), await ctx.resolvePath(to)],
  }),
  execute: async ({ from, to }, ctx) => {
    const source = await ctx.resolvePath(from);
    const target = await ctx.resolvePath(to);
    await rename(source, target);
    return { from, to: target };
  },
});
`;

/** A user's own program around it: a tool that is written with the page's interface alone, and a host that gets both. */
export const PROGRAM: string = `import { builtinTools, createHost, resolveWithinRoots, type AnyLocalTool, type RunHostOptions } from "${PACKAGE}";
import { z } from "zod";
import { renameInPlace, type LocalTool } from "./rename.ts";

interface Named { name: string; times?: number | undefined }

export const greet: LocalTool<Named> = {
  name: "greet",
  description: "Greets somebody.",
  input: z.object({ name: z.string(), times: z.number().optional() }),
  execute: ({ name, times = 1 }, ctx) => \`hello \${name} \`.repeat(times) + ctx.roots.length,
};

export const tools: AnyLocalTool[] = [...builtinTools, renameInPlace, greet];
export const options: RunHostOptions = { roots: ["."], tools: [...builtinTools, renameInPlace, greet] };
export const resolved: Promise<string> = resolveWithinRoots("a.txt", ["."]);

export async function open(root: string, stateDir: string) {
  return await createHost({ roots: [root], stateDir, tools });
}
`;

/** The table of built-in tools, in its order. */
export const BUILT_IN: readonly string[] =
  "list_directory read_file stat glob grep disk_usage hash_file write_file edit_file append_file create_directory move copy delete open_path reveal_in_os".split(
    " ",
  );
