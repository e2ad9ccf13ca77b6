/**
 * What this host says of itself: its name, what it can do, and a few lines for the model.
 */
import type { Dialect } from "../dialects/index.ts";
import { BRIDGE } from "./bridge.ts";
import { TASKS, type About } from "../mcp/index.ts";

/** The extension methods, declared where each generation of clients looks for them. */
const EXTENSION = {
  "dev.ringfence": { proposals: true, history: true, policy: true, grants: true, events: true },
};

export interface InstructionFacts {
  readonly roots: readonly { readonly path: string; readonly access: string }[];
  readonly mode: string;
  /** Which fence holds, in words. */
  readonly fence: string;
  readonly durability: "full" | "fast";
  /** The names that the tools have here. */
  readonly dialect?: Pick<Dialect, "about" | "nameOf"> | undefined;
}

export function createAbout(version: string, instructions: string, hasBridge = true): About {
  const ours = { ...EXTENSION, ...(hasBridge ? { [BRIDGE]: {} } : {}) };
  return {
    server: {
      name: "ringfence",
      title: "ringfence",
      version,
      description: "File tools inside the given roots; changes are proposed before they are made.",
    },
    capabilities: {
      tools: { listChanged: false },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: false },
      completions: {},
      logging: {},
      extensions: { ...ours, [TASKS]: {} },
      experimental: ours,
    },
    instructions,
  };
}

const CHANGES: Readonly<Record<string, string>> = {
  default:
    "Changes are not written at once: each answers with a proposal that a person or the program approves. Do not repeat a proposed change.",
  accept_edits:
    "Ordinary edits are written at once and answer with their diff; deletes and changes of hidden files are proposed and wait for approval.",
  plan: "Changes can only be proposed; nothing is written.",
  bypass: "Changes are written at once and answer with their diff.",
};

const UNFLUSHED =
  "Changes are not flushed to the disk: a crash of the machine may take back what was answered.";

/** Clients cut instructions at 2,048 characters; the roots, whose length is not ours, may have this much of it. */
const MAX_ROOTS_CHARS = 1200;

export function createInstructions({ roots, mode, fence, durability, dialect }: InstructionFacts): string {
  const named: string[] = [];
  for (const { path, access } of roots.slice(0, 8)) {
    const one = `${path} (${access})`;
    if (named.join(", ").length + one.length > MAX_ROOTS_CHARS) break;
    named.push(one);
  }
  const left = roots.length - named.length;
  const more =
    left === 0
      ? ""
      : named.length === 0
        ? `${left} that ${dialect?.nameOf("system_info") ?? "system_info"} names`
        : ` and ${left} more`;
  return [
    `Files can be reached inside these directories only: ${named.join(", ")}${more}. Relative paths start at the first. Held by: ${fence}.`,
    CHANGES[mode] ?? "",
    ...(durability === "fast" ? [UNFLUSHED] : []),
    "Long output is cut; the note before it says what is missing and gives the next call. Read a file before you edit it and copy text without line numbers.",
    ...(dialect ? [dialect.about] : []),
  ].join("\n");
}
