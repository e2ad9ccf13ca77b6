/**
 * What the scripted model does in every client, and what it must be told: data, read by `clients.test.ts`. Each scenario
 * stands alone, in a session of its own, and all of them stand behind each other in one session as well.
 *
 * Arguments are in our names; `claude` has them where a client presents our tools in that dialect. Results are compared by what
 * they contain, since clients put words of their own around them.
 */
import type { ClientName } from "../components/npm-client.ts";

export interface Scenario {
  readonly title: string;
  readonly steps: readonly Step[];
  /** The arguments do not fit the schema that we publish. */
  readonly isAgainstSchema?: true;
  readonly only?: ClientName;
}

export interface Step {
  readonly tool: string;
  readonly args: object;
  /** `undefined` where the dialect has no such tool; absent where it has the same. */
  readonly claude?: { readonly tool: string; readonly args: object } | undefined;
  /** What the model must be told; a list means each of them. */
  readonly says: readonly (string | RegExp)[];
  /** What it must not be told. */
  readonly hides?: string;
  /** The answer is a proposal, and a person applies it in a terminal before the model goes on. */
  readonly isApproved?: true;
  /** A tool of the client itself, under its own name. */
  readonly isOwn?: true;
  /** The model never goes on from the answer. */
  readonly isHeld?: true;
}

/** The files of the project before the model begins. */
export const PROJECT_FILES: Readonly<Record<string, string>> = {
  "report.txt": "Tide report\n\nStatus: draft\nTODO: high water\n",
  "src/tides.py": "# TODO: two equal readings\nheight = 4\n",
  ".env": "API_KEY=zanzibar\n",
};

const READ: Step = {
  tool: "read_file",
  args: { path: "report.txt" },
  claude: { tool: "Read", args: { file_path: "report.txt" } },
  says: ["Tide report", "Status: "],
};

const PROPOSED = /Proposed: [^]*Proposal p_[\w-]+@[0-9a-f]{40}/;

export const SCENARIOS: readonly Scenario[] = [
  {
    title: "lists a directory",
    steps: [
      {
        tool: "list_directory",
        args: {},
        claude: { tool: "LS", args: {} },
        says: ["report.txt", "src/"],
      },
    ],
  },
  {
    title: "greps",
    steps: [
      {
        tool: "grep",
        args: { pattern: "TODO", include: ["*.py"] },
        claude: { tool: "Grep", args: { pattern: "TODO", glob: "*.py", output_mode: "content" } },
        says: ["src/tides.py", "two equal readings"],
      },
    ],
  },
  {
    title: "does not read what holds secrets",
    steps: [
      {
        tool: "read_file",
        args: { path: ".env" },
        claude: { tool: "Read", args: { file_path: ".env" } },
        says: ["denied"],
        hides: "zanzibar",
      },
    ],
  },
  {
    title: "is told what is wrong with a call, and the next step",
    steps: [
      {
        tool: "read_file",
        args: { path: "reprot.txt" },
        claude: { tool: "Read", args: { file_path: "reprot.txt" } },
        says: ["not_found", "report.txt"],
      },
    ],
  },
  {
    title: "may give null for what it does not set",
    isAgainstSchema: true,
    steps: [
      {
        tool: "read_file",
        args: { path: "report.txt", offset: null, limit: null },
        claude: { tool: "Read", args: { file_path: "report.txt", offset: null, limit: null } },
        says: ["Tide report"],
      },
    ],
  },
  {
    // Gemini CLI adds this argument to every tool that it offers, and passes it on.
    title: "may say that a call waits for the one before",
    only: "gemini-cli",
    steps: [
      {
        tool: "read_file",
        args: { path: "report.txt", wait_for_previous: true },
        claude: { tool: "Read", args: { file_path: "report.txt", wait_for_previous: true } },
        says: ["Tide report"],
      },
    ],
  },
  {
    title: "reads, proposes an edit, and reads it when a person has approved it",
    steps: [
      READ,
      {
        tool: "edit_file",
        args: { path: "report.txt", old_text: "draft", new_text: "final" },
        claude: {
          tool: "Edit",
          args: { file_path: "report.txt", old_string: "draft", new_string: "final" },
        },
        says: ["-Status: draft", "+Status: final", "Nothing is written yet", PROPOSED],
        isApproved: true,
      },
      { ...READ, says: ["Status: final"] },
    ],
  },
  {
    title: "proposes a new file",
    steps: [
      {
        tool: "write_file",
        args: { path: "notes.txt", content: "Ask the harbour.\n" },
        claude: { tool: "Write", args: { file_path: "notes.txt", content: "Ask the harbour.\n" } },
        says: ["+Ask the harbour.", PROPOSED],
        isApproved: true,
      },
    ],
  },
  {
    title: "proposes a patch",
    steps: [
      READ,
      {
        tool: "apply_patch",
        args: {
          patch:
            "*** Begin Patch\n*** Update File: report.txt\n@@\n-TODO: high water\n+High water: 19:10\n*** End Patch\n",
        },
        claude: undefined,
        says: ["+High water: 19:10", PROPOSED],
        isApproved: true,
      },
    ],
  },
];

/** Where a client is interrupted: in a call that only ends when somebody ends it, or else while the model is thinking. */
export const INTERRUPTED: readonly Scenario[] = [
  {
    title: "in a call",
    steps: [{ tool: "hash_file", args: { path: "endless.bin" }, claude: undefined, says: [] }],
  },
  { title: "while the model thinks", steps: [{ ...READ, isHeld: true }] },
];

/** A file without blocks, so large that no machine hashes it in minutes. */
export const ENDLESS: { readonly file: string; readonly bytes: number } = {
  file: "endless.bin",
  bytes: 2 ** 43,
};
