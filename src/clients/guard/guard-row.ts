/**
 * What is known of a client's hook, as data: which of its events are answered, what each of its own tools does in our effects,
 * which of its tools touch nothing, and the form of its answer. `ringfence guard` is made from it.
 *
 * Usual mistake: to leave out a tool because it seems harmless. A tool that no row names is blocked.
 */

export type GuardedName = "claude-code" | "codex" | "cursor" | "gemini-cli";

/** An argument of a tool, or several names of it: the first that is there counts. */
export type ArgumentName = string | readonly string[];

/** What a tool of a client does. Without its path it works in the directory of the call. */
export type ToolUse =
  | { readonly does: "read" | "edit" | "write" | "delete"; readonly path: ArgumentName }
  /** The names below a directory are told; globs may lead out of it. */
  | { readonly does: "find"; readonly path: ArgumentName; readonly globs?: ArgumentName }
  /** What the files below a directory hold is shown. */
  | {
      readonly does: "search";
      readonly path: ArgumentName;
      readonly globs?: ArgumentName;
      readonly expression?: ArgumentName;
    }
  | { readonly does: "patch"; readonly text: ArgumentName }
  | { readonly does: "run"; readonly line: ArgumentName; readonly cwd?: ArgumentName }
  /** A person is asked, because nothing here can look at it. */
  | { readonly does: "ask"; readonly why: string };

/** `pass` leaves the call to the client, which may still ask its person. */
export type HookVerdict = "pass" | "ask" | "deny";

export interface HookAnswer {
  readonly verdict: HookVerdict;
  /** Empty for `pass`. */
  readonly reason: string;
  /** The command by which a person allows such calls, for `ask`. */
  readonly allowedBy?: string;
}

export interface GuardRow {
  readonly name: GuardedName;
  /** How the client calls itself over MCP: limits by client are written for this name. */
  readonly mcpName: string;
  /** The events that are answered, and whether the client puts our question to its person there. */
  readonly events: Readonly<Record<string, GuardEvent>>;
  readonly tools: Readonly<Record<string, ToolUse>>;
  /** Tools that reach no file, no program and no network by themselves. */
  readonly passes: readonly string[];
  /** How tools of MCP servers are named, with groups `server`, where the name tells it, and `tool`. */
  readonly mcp: RegExp;
  /** What is printed. */
  readonly say: (answer: HookAnswer, event: string) => object;
}

export interface GuardEvent {
  /** Where it is false, a question becomes a refusal that says how a person allows the call. */
  readonly asks: boolean;
  /** The event names no tool: it is this one, and its arguments stand beside it. */
  readonly tool?: ToolUse;
}
