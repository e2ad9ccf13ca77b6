/**
 * What the mock model needs of a provider's wire: what a client has said so far, and how a reply is streamed to it.
 *
 * Invariant: `results` has one text for each call of ours, in the order of the calls, whatever else the client put between.
 */
export interface WireFormat {
  /** Whether a request to this path asks the model for a reply in this format. */
  readonly fits: (path: string) => boolean;
  readonly read: (body: Body) => Conversation;
  /** The whole stream, as server-sent events. */
  readonly write: (reply: Reply) => readonly ServerEvent[];
}

/** These are bodies of other people's clients: each member is looked at before it is used. */
export type Body = Readonly<Record<string, unknown>>;

export interface Conversation {
  /** Names of the tools that the client offers; one inside of a namespace as `namespace/name`. */
  readonly offered: readonly string[];
  /** What the client gave back for the calls of this conversation. */
  readonly results: readonly string[];
  /** Everything the client says before the conversation. */
  readonly system: string;
}

export type Reply =
  | { readonly kind: "say"; readonly text: string }
  | {
      readonly kind: "call";
      readonly id: string;
      /** As the client offers it: `namespace/name` is split again. */
      readonly name: string;
      readonly args: object;
    };

export interface ServerEvent {
  /** The `event:` line; chat completions and Gemini have none. */
  readonly event?: string;
  readonly data: object | "[DONE]";
}

/** All texts of a block, a list of blocks, or a string, one a line. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(textOf).join("\n");
  if (typeof content !== "object" || content === null) return "";
  const { text, content: inner, output } = content as Body;
  return textOf(text ?? inner ?? output ?? "");
}
