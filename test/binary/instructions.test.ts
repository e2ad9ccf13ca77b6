/**
 * The instructions, as agents use them: several show a model their first line alone, to choose by whether it needs these
 * tools, so that line says what the server is for.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { MODERN_META } from "../host/in-memory-host.ts";
import { Place, ServeProcess } from "./serve-process.ts";

const CASES: readonly (readonly [args: readonly string[], verbs: string])[] = [
  [[], "List, read, search and edit files under "],
  [["--mode=plan"], "List, read, search and edit files under "],
  [["--read-only"], "List, read and search files under "],
  [["--profile=minimal"], "List, read and search files under "],
  [["--profile=messaging"], "List, read and search files under "],
  [["--dialect=codex"], "List, read, search and edit files under "],
];

describe("the first line says what the server is for", () => {
  test.each(CASES)("the first line says what the server is for with %j, in both eras", async (args, verbs) => {
    using place = new Place();
    const other = join(place.path, "other");
    mkdirSync(other);
    await using host = await ServeProcess.start(place, { args: [`--root=${other}:ro`, ...args] });
    const modern = await host.ask(1, "server/discover", { _meta: MODERN_META });
    const legacy = await host.ask(2, "initialize", { capabilities: {} });
    for (const { result } of [modern, legacy]) {
      const [first = "", ...rest] = String(result?.["instructions"]).split("\n");
      const roots = `${place.root} (read-write), ${other} (read-only)`;
      const use = verbs.startsWith("Tools") ? "." : "; use these tools instead of a shell.";
      expect(first).toBe(`${verbs}${roots}${use}`);
      expect(rest.join("\n")).toMatch(/^Held by: /m);
    }
  });

  test("the first line does not promise edits where every root is read-only", async () => {
    using place = new Place();
    const command = ["serve", "--root", `${place.root}:ro`, "--state-dir", place.stateDir];
    await using host = await ServeProcess.start(place, { command });
    const { result } = await host.ask(1, "initialize", { capabilities: {} });
    expect(result?.["instructions"]).toStartWith(`List, read and search files under ${place.root} (read-only); `);
  });
});
