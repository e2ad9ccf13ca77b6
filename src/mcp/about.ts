/**
 * What a server says of itself, the same in every revision.
 */
export interface About {
  /** An `Implementation` of the protocol. */
  readonly server: Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string };
  readonly capabilities: Capabilities;
  /** A few lines for the model. */
  readonly instructions: string;
}

export type Capabilities = Readonly<Record<string, unknown>>;

/** Whether an object stands at this place: `declares(capabilities, "roots", "listChanged")` for its last member. */
export function declares(capabilities: Capabilities, ...path: readonly string[]): boolean {
  let at: unknown = capabilities;
  for (const name of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return false;
    at = (at as Capabilities)[name];
  }
  return at === true || (typeof at === "object" && at !== null);
}

/** Forms are what `elicitation` means when it names no mode. */
export function canElicit(capabilities: Capabilities): boolean {
  return (
    declares(capabilities, "elicitation", "form") ||
    (declares(capabilities, "elicitation") && !declares(capabilities, "elicitation", "url"))
  );
}
