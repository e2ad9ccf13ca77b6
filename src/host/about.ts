/**
 * What this host says of itself: its name, what it can do, and a few lines for the model.
 */
import { BUILD, type Config } from "../config/index.ts";
import type { Dialect } from "../dialects/index.ts";
import { BRIDGE } from "../session/index.ts";
import { TASKS, type About } from "../mcp/index.ts";
import { EFFECTS, type ToolFacts } from "../policy/index.ts";
import { showName } from "../scope/index.ts";
import { joinWords, truncateUtf8 } from "../text/index.ts";
import { isOff } from "./offer.ts";

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
  /** What the tools do with files. */
  readonly verbs: readonly string[];
  /** Which roots a client's roots have closed, in words. */
  readonly narrowed?: string | undefined;
  /** The names that the tools have here. */
  readonly dialect?: Pick<Dialect, "about" | "nameOf"> | undefined;
}

/** @param instructions asked each time: what a client's roots leave is known only after its handshake */
export function createAbout(version: string, instructions: () => string, hasBridge = true): About {
  const ours = { ...EXTENSION, ...(hasBridge ? { [BRIDGE]: {} } : {}) };
  return {
    server: {
      name: "ringfence",
      title: "ringfence",
      version,
      description: "File tools inside the given roots; changes are proposed before they are made.",
    },
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: false },
      completions: {},
      logging: {},
      extensions: { ...ours, [TASKS]: {} },
      experimental: ours,
    },
    get instructions() {
      return instructions();
    },
  };
}

/** What a client of this host is told. */
export function aboutHost(host: AboutParts): About {
  const { config } = host;
  const verbs = verbsOf(config);
  const instructions = (): string => createInstructions({ ...host.facts, verbs, dialect: host.dialect });
  return createAbout(BUILD.version, instructions, config.bridge.enabled);
}

interface AboutParts {
  readonly config: Config;
  readonly facts: Omit<InstructionFacts, "verbs" | "dialect">;
  readonly dialect: Dialect | undefined;
}

const CHANGES: Readonly<Record<string, string>> = {
  default:
    "Changes are not written at once: each answers with a proposal that a person or the program approves. Do not repeat a proposed change.",
  accept_edits:
    "Ordinary edits are written at once and answer with their diff; deletes and changes of hidden, lock and configuration files are proposed and wait for approval.",
  plan: "Changes can only be proposed; nothing is written.",
  bypass: "Changes are written at once and answer with their diff.",
};

const UNFLUSHED = "Changes are not flushed to the disk: a crash of the machine may take back what was answered.";

/** Clients cut instructions at 2,048 characters; the roots, whose length is not ours, may have this much of it. */
const MAX_ROOTS_CHARS = 1200;
/** What is said of narrowed roots may have this much of that. */
const MAX_NARROWED_BYTES = 500;

/** What is told in a word, by a tool that does it. */
const VERBS: readonly (readonly [verb: string, tool: ToolFacts])[] = [
  ["list", { name: "list_directory", effect: "read" }],
  ["read", { name: "read_file", effect: "read" }],
  ["search", { name: "grep", effect: "read" }],
  ["edit", { name: "edit_file", effect: "change" }],
];

export function verbsOf(config: Config): readonly string[] {
  const canWrite = config.roots.some(({ readOnly }) => !readOnly);
  return VERBS.filter(([, tool]) => !isOff(tool, config) && (EFFECTS[tool.effect].onlyReads || canWrite)).map(
    ([verb]) => verb,
  );
}

/** Some agents show a model the first line alone, to choose by whether it needs the tools: it says what they are for. */
export function createInstructions(facts: InstructionFacts): string {
  const { mode, fence, durability, dialect } = facts;
  const narrowed = sentence(truncateUtf8(facts.narrowed ?? "", MAX_NARROWED_BYTES).text);
  const roots = namedRoots(facts, MAX_ROOTS_CHARS - narrowed.length);
  return [
    facts.verbs.length === 0
      ? `Tools of a host that is held to ${roots}.`
      : `${sentence(joinWords(facts.verbs))} files under ${roots}; use these tools instead of a shell.`,
    "Relative paths start at the first directory, and nothing outside of them can be reached.",
    ...(narrowed === "" ? [] : [`${narrowed}.`]),
    CHANGES[mode] ?? "",
    ...(durability === "fast" ? [UNFLUSHED] : []),
    `Held by: ${fence}.`,
    "Long output is cut; the note before it says what is missing and gives the next call. Read a file before you edit it and copy text without line numbers.",
    ...(dialect ? [dialect.about] : []),
  ].join("\n");
}

function namedRoots({ roots, dialect }: InstructionFacts, maxChars: number): string {
  const named: string[] = [];
  for (const { path, access } of roots.slice(0, 8)) {
    const one = `${showName(path)} (${access})`;
    if (named.join(", ").length + one.length > maxChars) break;
    named.push(one);
  }
  const left = roots.length - named.length;
  if (left === 0) return named.join(", ");
  return named.length === 0
    ? `${left === 1 ? "the directory" : `the ${left} directories`}${namedBy(dialect)}`
    : `${named.join(", ")} and ${left} more`;
}

/** Where the dialect has no tool that names them, nobody does. */
function namedBy(dialect: InstructionFacts["dialect"]): string {
  const name = dialect ? dialect.nameOf("system_info") : "system_info";
  return name === undefined ? " of this host" : ` that ${name} names`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
