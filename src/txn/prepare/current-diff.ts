/**
 * What a sealed change set would do now: the diff from what stands there to what it would put. For the answer to a stale
 * proposal; never a reason to fail.
 */
import { limits, type Cancel } from "../../base/index.ts";
import type { Scope } from "../../scope/index.ts";
import { truncateUtf8 } from "../../text/index.ts";
import { describeContent } from "./describe.ts";
import { inspect } from "../inspect.ts";
import type { Sealed } from "../model.ts";
import { locatedFrom } from "./target.ts";

export interface CurrentDiffContext {
  readonly scope: Scope;
  readonly cancel: Cancel;
  readonly content: (index: number) => Uint8Array;
  readonly maxBytes: number;
}

export function currentDiff(sealed: Sealed, ctx: CurrentDiffContext): string {
  let text = "";
  for (const step of sealed.steps) {
    // What an earlier step leaves is not on the disk to be compared with.
    if (step.op !== "put" || step.follows) continue;
    try {
      const at = locatedFrom(ctx.scope, step.at);
      const now = inspect(ctx.scope, at, "compare", {
        cancel: ctx.cancel,
        maxBytes: limits.MAX_EDIT_FILE_BYTES,
      });
      const shown = { path: ctx.scope.show(at), absolute: ctx.scope.absolute(at) };
      text += describeContent(shown, now.bytes, ctx.content(step.content), {}).diff ?? "";
    } catch {
      // The failure itself tells; the diff is only a help.
    }
  }
  return truncateUtf8(text, ctx.maxBytes).text;
}
