/**
 * What a caller writes is checked by the compiler: each `@ts-expect-error` here is a mistake that must not compile, and the
 * gate's type check fails when one does. The types that are written by hand are those of the host itself.
 */
import { expect, test } from "bun:test";
import { FAILURE_CODES } from "../../src/base/index.ts";
import type { Explanation, ToolHost, ToolName } from "../../src/calls/index.ts";
import type { Decision } from "../../src/policy/index.ts";
import { builtinTools, commandTools } from "../../src/packs/index.ts";
import { toolTypesPage } from "../../scripts/docs/tool-types.ts";

/** Never called: the compiler reads it. */
export async function mistakes(host: ToolHost): Promise<void> {
  await host.call("read_file", { path: "a.txt", encoding: "utf-8" });
  // @ts-expect-error an argument is missing
  await host.call("read_file", {});
  // @ts-expect-error an argument of another type
  await host.call("read_file", { path: 1 });
  // @ts-expect-error an argument that the tool does not have
  await host.call("read_file", { path: "a.txt", colour: "red" });
  // @ts-expect-error not one of the values
  await host.call("grep", { pattern: "a", case: "loud" });
  // @ts-expect-error not one of the operations
  await host.call("change_files", { operations: [{ op: "explode" }] });
  // @ts-expect-error no built-in tool; callTool takes any name
  await host.call("cmd_make", {});
  await host.callTool("cmd_make", {});
  const { structured } = await host.call("grep", { pattern: "a" });
  structured.matches?.map(({ line, text }) => [line.toFixed(), text.trim()]);
  // @ts-expect-error a result of another tool
  void structured.entries;
  // @ts-expect-error an id is a string
  await host.proposals.apply(1);
  // @ts-expect-error hunks are numbers, or names of places in them
  await host.proposals.apply("p", { hunks: { "a.txt": [true] } });
  // @ts-expect-error a number of milliseconds
  await host.call("stat", { path: "." }, { timeoutMs: "1s" });
}

type Fits<A, B> = [A] extends [B] ? true : false;

/** Each is an error of the compiler when it is not so. */
export const PINS: {
  readonly decisions: Fits<Decision, Explanation["decision"]>;
} = {
  decisions: true,
};

test("every built-in tool has types, and none that there is not", () => {
  const page = toolTypesPage()["types/tools.d.ts"]?.() ?? "";
  const map = /interface ToolArguments \{([^}]*)\}/.exec(page)?.[1] ?? "";
  const typed = [...map.matchAll(/readonly (\w+):/g)].map(([, name]) => name as ToolName);
  expect<string[]>(typed).toEqual([...builtinTools, ...commandTools({}, true)].map(({ name }) => name));
  expect(FAILURE_CODES).toHaveLength(20);
});
