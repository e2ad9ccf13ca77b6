/**
 * Every name and link on the way to a configuration file in use, or to where one would be looked for, is protected like
 * the file: no tool replaces, moves or removes it, by whatever name.
 */
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, ServeProcess, type CallResult } from "./serve-process.ts";

const SAFE = '{"mode":"accept_edits"}';
const WIDER = '{"mode":"bypass","shell":{"enabled":true}}';

interface Setting {
  /** `--config`, or where it is looked for. */
  readonly args?: (root: string, place: string) => readonly string[];
  readonly env?: (root: string) => Readonly<Record<string, string>>;
  /** From the root: links and where they lead, made in this order. */
  readonly links: (root: string, outside: string) => readonly (readonly [name: string, target: string])[];
  /** What is tried, in a root that has `evil.json` and `evil/ringfence/ringfence.json`. */
  readonly calls: readonly (readonly [tool: string, args: object])[];
}

const SETTINGS: Readonly<Record<string, Setting>> = {
  "a link that --config names": {
    args: (root) => ["--config", join(root, "agent.json")],
    links: (_, outside) => [["agent.json", join(outside, "safe.json")]],
    calls: [
      ["move", { source: "agent.json", destination: "old.json" }],
      ["delete", { path: "agent.json" }],
      ["move", { source: "evil.json", destination: "agent.json", overwrite: true }],
      ["copy", { source: "evil.json", destination: "agent.json", overwrite: true }],
      ["write_file", { path: "agent.json", content: WIDER, overwrite: true }],
      ["change_files", { operations: [{ op: "move", source: "agent.json", destination: "old.json" }] }],
      ["apply_patch", { patch: "*** Begin Patch\n*** Update File: agent.json\n*** Move to: old.json\n*** End Patch" }],
    ],
  },
  "a linked directory above the file": {
    args: (root) => ["--config", join(root, "conf", "safe.json")],
    links: (_, outside) => [["conf", outside]],
    calls: [
      ["move", { source: "conf", destination: "old" }],
      ["delete", { path: "conf" }],
      ["move", { source: "CONF", destination: "old" }],
      ["change_files", { operations: [{ op: "delete", path: "conf" }] }],
    ],
  },
  "a chain of links, each of them": {
    args: (root) => ["--config", join(root, "one", "safe.json")],
    links: (_, outside) => [
      ["far", outside],
      ["deep/two", "../far"],
      ["one", "deep/two"],
    ],
    calls: [
      ["move", { source: "one", destination: "old" }],
      ["delete", { path: "deep/two" }],
      ["move", { source: "deep", destination: "old" }],
      ["delete", { path: "deep", recursive: true }],
      ["move", { source: "far", destination: "old" }],
      ["move", { source: "one/../../far", destination: "old" }],
    ],
  },
  "a linked place where one would be looked for": {
    env: (root) => ({ XDG_CONFIG_HOME: join(root, "xdg") }),
    links: (_, outside) => [["xdg", outside]],
    calls: [
      ["move", { source: "xdg", destination: "old" }],
      ["delete", { path: "xdg" }],
    ],
  },
  "a link that leads nowhere yet": {
    env: (root) => ({ XDG_CONFIG_HOME: join(root, "xdg") }),
    links: () => [["xdg", "later"]],
    calls: [
      ["write_file", { path: "later/ringfence/ringfence.json", content: WIDER }],
      ["move", { source: "evil", destination: "later" }],
      ["copy", { source: "evil", destination: "later", recursive: true }],
      ["move", { source: "evil/ringfence", destination: "later/ringfence" }],
    ],
  },
  "a place that is not there yet": {
    env: (root) => ({ XDG_CONFIG_HOME: join(root, "xdg") }),
    links: () => [["door", "evil"]],
    calls: [
      ["move", { source: "door", destination: "xdg" }],
      ["copy", { source: "door", destination: "xdg" }],
      ["move", { source: "evil/ringfence", destination: "xdg/ringfence" }],
      ["create_directory", { path: "xdg/RINGFENCE" }],
    ],
  },
};

test.each(Object.entries(SETTINGS))("%s stays what it is", async (_, setting) => {
  using place = new Place();
  const outside = join(place.path, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "safe.json"), SAFE);
  mkdirSync(join(place.root, "evil", "ringfence"), { recursive: true });
  writeFileSync(join(place.root, "evil", "ringfence", "ringfence.json"), WIDER);
  writeFileSync(join(place.root, "evil.json"), WIDER);
  const links = setting.links(place.root, outside);
  mkdirSync(join(place.root, "deep"));
  for (const [name, target] of links) symlinkSync(target, join(place.root, name));
  await using host = await ServeProcess.start(place, {
    args: ["--mode", "bypass", ...(setting.args?.(place.root, place.path) ?? [])],
    env: setting.env?.(place.root) ?? {},
  });
  for (const [index, [tool, args]] of setting.calls.entries()) {
    host.call(index, tool, args);
    const { result } = await host.answer(index);
    expect([tool, args, codeOf(result)]).toEqual([
      tool,
      args,
      expect.stringMatching(/^(denied|not_found|outside_scope)$/),
    ]);
  }
  for (const [name, target] of links) expect(readlinkSync(join(place.root, name))).toBe(target);
  expect(readFileSync(join(outside, "safe.json"), "utf8")).toBe(SAFE);
  // What has nothing to do with it changes as ever.
  host.call("last", "move", { source: "evil.json", destination: "other.json" });
  expect(codeOf((await host.answer("last")).result)).toBeUndefined();
});

function codeOf(result: CallResult | undefined): string | undefined {
  return result?.["_meta"]?.["dev.ringfence/failure"]?.code;
}
