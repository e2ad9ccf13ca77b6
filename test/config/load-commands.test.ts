/**
 * Commands as they are declared: checked when they are loaded, from the configuration and from folders of files, never
 * from where a tool can write.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCommands, type RawConfig } from "../../src/config/index.ts";

let top = "";

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-commands-")));
  mkdirSync(join(top, "root", "tools"), { recursive: true });
  mkdirSync(join(top, "space"));
});

afterEach(() => rmSync(top, { recursive: true, force: true }));

function load(raw: object): Promise<RawConfig> {
  return loadCommands({ roots: [join(top, "root")], ...raw });
}

describe("a declaration", () => {
  const good = { description: "x", program: "/bin/true" };
  const cases: [name: string, commands: unknown, says: string][] = [
    ["without a program", { x: { description: "x" } }, "commands.x.program"],
    ["with a name that no tool can have", { "x-y": good }, "commands.x-y"],
    ["with a key that there is not", { x: { ...good, shell: true } }, "commands.x"],
    ["with a network that there is not", { x: { ...good, network: "some" } }, "commands.x.network"],
    [
      "with a list of hosts that has a URL",
      { x: { ...good, network: { reach: ["https://a.example"] } } },
      'commands.x.network.reach is wrong: Cannot reach "https://a.example": it is a URL',
    ],
    ["with a list of hosts that has other keys", { x: { ...good, network: { reach: [], open: true } } }, '"open"'],
    ["with a pattern that is none", { x: { ...good, parameters: { a: { type: "string", pattern: "(" } } } }, "pattern"],
    [
      "with a pattern that looks back",
      { x: { ...good, parameters: { a: { type: "string", pattern: "(?<=a)b" } } } },
      "cannot be matched in linear time: it has a look behind",
    ],
    [
      "with items whose pattern refers to a group",
      { x: { ...good, parameters: { a: { type: "list", items: { type: "string", pattern: "(a)\\1" } } } } },
      "cannot be matched in linear time: it has a reference",
    ],
    ["with an enum of nothing", { x: { ...good, parameters: { a: { type: "enum" } } } }, "needs values"],
    ["with a place for nothing", { x: { ...good, args: ["{a}"] } }, "not declared"],
    ["with a flag that is none", { x: { ...good, parameters: { a: { type: "string", flag: "a" } } } }, "flag"],
    ["with a pin that is none", { x: { ...good, sha256: "abc" } }, "sha256"],
    ["that reads a relative path", { x: { ...good, reads: ["lib"] } }, "reads"],
  ];
  test.each(cases)("%s is refused", async (_name, commands, says) => {
    await expect(load({ commands })).rejects.toThrow(says);
  });

  test("a declaration is taken as it is when it is right", async () => {
    expect((await load({ commands: { x: good } })).commands).toEqual({ x: good });
    expect((await load({})).commands).toBeUndefined();
  });
});

describe("a folder of commands", () => {
  test("a folder of commands has one command in each file, with scripts beside it", async () => {
    writeFileSync(join(top, "space", "deploy-it.yaml"), "description: Deploys.\nprogram: ./deploy.sh\n");
    writeFileSync(join(top, "space", "other.json"), '{"description": "Other.", "program": "/bin/true"}');
    writeFileSync(join(top, "space", "deploy.sh"), "");
    const { commands } = await load({ commandFolders: [join(top, "space")] });
    expect(Object.keys(commands ?? {})).toEqual(["deploy_it", "other"]);
    expect(commands?.["deploy_it"]).toEqual({
      description: "Deploys.",
      program: join(top, "space", "deploy.sh"),
      source: join(top, "space", "deploy-it.yaml"),
    });
  });

  test("a folder of commands is refused where a tool can write", async () => {
    await expect(load({ commandFolders: [join(top, "root", "tools")] })).rejects.toThrow("writable root");
    const roots = [`${join(top, "root")}:ro`];
    expect((await load({ roots, commandFolders: [join(top, "root", "tools")] })).commands).toEqual({});
  });

  test("a folder of commands is refused when a file is wrong or a name is declared already", async () => {
    writeFileSync(join(top, "space", "x.yaml"), "description: x\nprogram: /bin/true\n");
    const commands = { x: { description: "x", program: "/bin/true" } };
    await expect(load({ commands, commandFolders: [join(top, "space")] })).rejects.toThrow("declared twice");
    writeFileSync(join(top, "space", "x.yaml"), "description: [\n");
    await expect(load({ commandFolders: [join(top, "space")] })).rejects.toThrow("x.yaml");
    writeFileSync(join(top, "space", "x.yaml"), "description: x\nprogram: /bin/true\nprogram: /bin/false\n");
    await expect(load({ commandFolders: [join(top, "space")] })).rejects.toThrow("again in line 3");
    await expect(load({ commandFolders: [join(top, "gone")] })).rejects.toThrow("cannot be read");
  });
});
