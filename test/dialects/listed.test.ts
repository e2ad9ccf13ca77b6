/**
 * In a dialect only what is listed can be called, and no answer names what is not: a client decides by the list, and a model
 * that is told a name which is then refused has lost a call.
 */
import { describe, expect, test } from "bun:test";
import { DIALECTS } from "../../src/config/index.ts";
import { createRegistry } from "../../src/contract/index.ts";
import { Failure } from "../../src/base/index.ts";
import { openDialect } from "../../src/dialects/index.ts";
import { FAILURE_KEY, failureOutcome } from "../../src/mcp/index.ts";
import { builtinTools, commandTools } from "../../src/packs/index.ts";
import { findCallHints } from "../hints/hints-in-source.ts";
import { openTestHost } from "../host/in-memory-host.ts";

const TOOLS = [...builtinTools, ...commandTools({}, true)];

/** What the program itself takes beside its listed names. */
const TAKEN: Readonly<Partial<Record<(typeof DIALECTS)[number], readonly string[]>>> = { construct: ["list"] };

describe.each(DIALECTS.filter((name) => name !== "ringfence"))("%s", (dialect) => {
  test("a call of a tool by a name that the dialect does not list is answered with the listed name", async () => {
    await using host = openTestHost({ files: { "a.txt": "one\n" }, config: { dialect, mode: "bypass" } });
    const { tools } = (await host.request("tools/list")).result;
    const listed = new Set(tools.map(({ name }: { name: string }) => name));
    const hidden = builtinTools.flatMap((tool) =>
      [tool.name, ...(tool.aliases ?? [])].filter((name) => !listed.has(name) && !TAKEN[dialect]?.includes(name)),
    );
    expect(hidden.length).toBeGreaterThan(10);
    for (const name of hidden) {
      const { error } = await host.request("tools/call", { name, arguments: { path: "a.txt" } });
      expect(error?.code, name).toBe(-32602);
      expect(error.message).toStartWith(`there is no tool "${name}": `);
      for (const candidate of error.data.candidates) expect(listed).toContain(candidate);
    }
    expect(host.read("a.txt")).toBe("one\n");
  });

  test("a hint names no tool that the dialect does not list", async () => {
    const spoken = await openDialect(dialect, createRegistry(TOOLS));
    const unlisted = TOOLS.map(({ name }) => name).filter(
      (name) => name.includes("_") && !spoken.nameOf(name) && !spoken.names.includes(name),
    );
    const [row] = spoken.rows;
    for (const { text } of findCallHints()) {
      const data = new Failure("invalid_input", "Cannot do it", { hint: text }).data;
      const outcome = { ...failureOutcome(data), meta: { [FAILURE_KEY]: data } };
      const { members } = spoken.translate(row!.row.name, {})!.answer(outcome, { roots: ["/root"], bytes: 32 * 1024 });
      const said = members.replaceAll(/\\".*?\\"|`[^`]*`/g, "");
      for (const name of unlisted) expect(said).not.toMatch(new RegExp(String.raw`(?<![\w/.[-])${name}(?![\w/-])`));
    }
  });
});

test("a hint keeps what it says beside a tool that is not listed", async () => {
  await using host = openTestHost({ config: { dialect: "claude" } });
  const { failure } = await host.call("Read", { file_path: "../x" });
  expect(failure?.hint).toBe("Only paths inside the roots can be reached.");
});
