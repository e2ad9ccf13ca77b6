/** The commands that hints name, run as they are printed. */
import { describe, test } from "bun:test";
import { hasLandlock } from "../binary/has-landlock.ts";
import { COMMAND_HINTS } from "./command-hints.ts";
import { UPSTREAM_HINTS } from "./upstream-hints.ts";

test.each(COMMAND_HINTS.map(({ title, run }) => [title, run] as const))(
  "the hint is a command that works as printed: %s",
  async (_, run) => await run(),
);

describe.skipIf(!hasLandlock())("of other servers, which are started in fences", () => {
  test.each(UPSTREAM_HINTS.map(({ title, run }) => [title, run] as const))(
    "the hint names the command that is meant: %s",
    async (_, run) => await run(),
  );
});
