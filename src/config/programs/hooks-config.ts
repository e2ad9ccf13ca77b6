/**
 * The key `hooks` of the configuration as a schema. Loaded only where it stands.
 */
import * as z from "zod/mini";
import { described } from "../../contract/described.ts";
import { choice, filled, maybe, most } from "./field-kinds.ts";
import { reach } from "./program-fields.ts";

const program = (what: string): z.ZodMiniOptional<z.ZodMiniArray<z.ZodMiniString>> =>
  maybe(z.array(z.string()).check(z.minLength(1)), what);
const bareHook = z.strictObject({
  tool: described(filled(), "A tool, a group or a glob of names."),
  action: choice(
    ["confirm", "log", "silent"],
    "confirm: ask whatever the rules say; log: also on stderr; silent: not among the events.",
  ),
  before: program(
    'A program and its arguments. It gets the call as JSON on stdin and may answer {"decision": "ask"} or "deny"; a failure means ask.',
  ),
  after: program("A program that is told on stdin how the call ended: the same, and the outcome."),
  on: choice(
    ["proposal"],
    "proposal: `run` is told of every proposal that a call of the tool becomes. It decides nothing.",
  ),
  run: program("With on: a program that is told on stdin, as JSON. Nobody waits for it."),
  timeout_ms: most("For the programs. Default 5000.", 60_000),
  ...reach,
});
export const hooksSchema: z.ZodMiniType = z.array(
  bareHook.check(
    z.refine(
      ({ on, run, before, after, action }) =>
        on === undefined ? run === undefined : run !== undefined && !before && !after && !action,
      "on and run stand together, and beside neither before, after nor action",
    ),
    z.refine(
      ({ on, run, before, after, action }) => [on, run, before, after, action].some((one) => one !== undefined),
      "it does nothing: it needs an action, before, after, or on with run",
    ),
  ),
);
