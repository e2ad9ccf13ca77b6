/**
 * What this server says of itself, the same in every revision.
 */
export interface About {
  readonly version: string;
  /** A few lines for the model. */
  readonly instructions: string;
}

export function serverInfo(about: About): Record<string, unknown> {
  return {
    name: "ringfence",
    title: "ringfence",
    version: about.version,
    description: "File tools inside the given roots; changes are proposed before they are made.",
  };
}

/** The extension methods, declared where each generation of clients looks for them. */
const EXTENSION = { "dev.ringfence": { proposals: true } };

export const CAPABILITIES: Readonly<Record<string, unknown>> = {
  tools: { listChanged: false },
  extensions: EXTENSION,
  experimental: EXTENSION,
};

export interface InstructionFacts {
  readonly roots: readonly { readonly path: string; readonly access: string }[];
  readonly mode: string;
  /** Which fence holds, in words. */
  readonly fence: string;
  readonly durability: "full" | "fast";
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

export function createInstructions({ roots, mode, fence, durability }: InstructionFacts): string {
  const named = roots.slice(0, 8).map(({ path, access }) => `${path} (${access})`);
  const more = roots.length > named.length ? ` and ${roots.length - named.length} more` : "";
  return [
    `Files can be reached inside these directories only: ${named.join(", ")}${more}. Relative paths start at the first. Held by: ${fence}.`,
    CHANGES[mode] ?? "",
    ...(durability === "fast" ? [UNFLUSHED] : []),
    "Long output is cut; the note at the end says what is missing and gives the next call. Read a file before you edit it and copy text without line numbers.",
  ].join("\n");
}
