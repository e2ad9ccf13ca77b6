/**
 * What a server may ask its client for while a call is under way: a form for a person, a completion of the client's
 * model, its roots. In the modern era the call ends with these questions and is sent again with the answers.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export interface InputRequest {
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params?: Readonly<Record<string, unknown>>;
}

/** By keys that the asker chose. */
export type InputRequests = Readonly<Record<string, InputRequest>>;

/** By the same keys: results as the client gave them, unchecked. One that is not there was not answered. */
export type InputResponses = Readonly<Record<string, unknown>>;

/** Thrown to end a modern call with questions; the session turns it into its result. */
export class InputRequired extends Error {
  readonly requests: InputRequests;
  /** What comes back, sealed, with the answers. */
  readonly state: unknown;

  /** The `_meta` of the result, in which an extension asks in a way of its own. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;

  constructor(requests: InputRequests, state: unknown, meta?: Readonly<Record<string, unknown>>) {
    super("the call needs input of its client");
    this.requests = requests;
    this.state = state;
    this.meta = meta;
  }
}

/** A call that was sent again with answers. */
export interface RetriedRequest {
  readonly state: unknown;
  readonly responses: InputResponses;
  /** The `_meta` of the request, where an extension looks for its answers. */
  readonly meta: Readonly<Record<string, unknown>>;
}
