/**
 * The layers of the configuration: which wins, what is added up, what is locked, and that what a root says can only take
 * something away. Files are real ones, in three languages.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as classic from "zod";
import { fc } from "../property.ts";
import { Failure } from "../../src/base/index.ts";
import { resolveSettings, type RawConfig } from "../../src/config/index.ts";
import type { ConfigFile } from "../../src/config/config-files.ts";
import { layerConfig } from "../../src/config/layers.ts";
import { evaluate, MODES, type Mode } from "../../src/policy/index.ts";
import { parseRule } from "../../src/policy/index.ts";

let top: string;

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-layers-")));
  mkdirSync(join(top, "root"));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function put(name: string, text: string | object, kind: ConfigFile["kind"] = "--config"): ConfigFile {
  const path = join(top, name);
  writeFileSync(path, typeof text === "string" ? text : JSON.stringify(text));
  return { path, kind };
}

async function failureIn(work: Promise<unknown>): Promise<Failure["data"]> {
  try {
    await work;
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.data;
    throw thrown;
  }
  throw new Error("it was accepted");
}

test("a file with a key that stands twice in one object is refused with the key and its line", async () => {
  for (const text of [
    '{ "mode": "plan",\n "mode": "bypass" }',
    '{ "mode": "plan", // "\n "m\\u006fde": "bypass" }',
    '{ "audit": {},\n "mode": "plan", "mode": "plan" }',
  ])
    expect(await failureIn(layerConfig({}, {}, [put("c.json", text)]))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining('the key "mode" is there twice, again in line 2'),
    });
  for (const name of ["c.yaml", "c.yml"])
    expect(await failureIn(layerConfig({}, {}, [put(name, "mode: plan\naudit: {}\nmode: bypass\n")]))).toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/ya?ml": the key "mode" is there twice, again in line 3$/),
    });
  const fine =
    '{ /* "mode": */ "rules": [{ "deny": "a", "reason": "\\"deny\\": {" }, { "deny": "b" }], "mode": "plan" }';
  expect((await layerConfig({}, {}, [put("c.json", fine)])).raw.mode).toBe("plan");
});

test.each([
  [{ roots: "." }, "roots is wrong: it must be a list, not a string"],
  [{ state_dir: "" }, "state_dir is wrong: it must have at least 1 character"],
  [{ deny: [""] }, "deny.0 is wrong: it must have at least 1 character"],
])("a wrong value is told in a person's words where classic zod is loaded too: %j", async (values, why) => {
  expect(classic.string().safeParse(1).success).toBe(false);
  await expect(layerConfig({}, {}, [put("words.json", values)])).rejects.toThrow(why);
});

test("a file and a flag can both bound what is kept for undo", async () => {
  const own = put("c.json", { undo_max_bytes: "2G", undo_max_age: "30d" });
  const fromFile = (await layerConfig({}, {}, [own])).raw;
  expect(resolveSettings(fromFile).undo).toEqual({
    maxBytes: 2 * 1024 ** 3,
    maxAgeMs: 30 * 24 * 60 * 60 * 1000,
  });
  const both = (await layerConfig({}, { undoMaxBytes: "1k" }, [own])).raw;
  expect(resolveSettings(both).undo.maxBytes).toBe(1024);
  const locking = put("m.json", { undo_max_age: "7d", lock: ["undo_max_age"] }, "machine");
  expect((await failureIn(layerConfig({}, { undoMaxAge: "90d" }, [locking]))).message).toContain("undo_max_age");
});

test("a file and a flag both set the size of an answer, and a useless size is refused", async () => {
  const own = put("c.json", { answer_bytes: "128k" });
  expect(resolveSettings((await layerConfig({}, {}, [own])).raw).answerBytes).toBe(128 * 1024);
  expect(resolveSettings((await layerConfig({}, { answerBytes: "2000" }, [own])).raw).answerBytes).toBe(2000);
  expect(resolveSettings({}).answerBytes).toBe(32 * 1024);
  for (const answerBytes of ["0", "1023", "2M", "1048577", "32 KB", "-1", ""])
    expect((await failureIn((async () => resolveSettings({ answerBytes }))())).hint).toContain(
      "1k at least and 1M at most",
    );
});

test("a file and a flag both set when a call becomes a task, and 0 is kept", async () => {
  const own = put("c.json", { tasks_after_ms: 500 });
  expect(resolveSettings((await layerConfig({}, {}, [own])).raw).tasksAfterMs).toBe(500);
  expect(resolveSettings((await layerConfig({}, { tasksAfterMs: 0 }, [own])).raw).tasksAfterMs).toBe(0);
  expect(resolveSettings({}).tasksAfterMs).toBe(10_000);
});

test("a later layer wins, and every value has its origin", async () => {
  const machine = put("m.json", { mode: "plan", results: "structured", audit: "best-effort" }, "machine");
  const user = put("u.yaml", "mode: default\nprofile: coding\n", "user");
  const own = put("c.toml", 'profile = "minimal"\n[secrets]\nredact = false\n');
  const { raw, origins } = await layerConfig({ fence: "auto", mode: "bypass" }, { mode: "accept_edits" }, [
    machine,
    user,
    own,
  ]);
  expect(raw).toMatchObject({
    mode: "accept_edits",
    results: "structured",
    profile: "minimal",
    fence: "auto",
  });
  expect(raw.secrets).toEqual({ redact: false });
  expect(Object.fromEntries(origins)).toMatchObject({
    mode: ["command line"],
    results: [machine.path],
    profile: [own.path],
    fence: ["built-in"],
  });
});

test("denials of all layers are added up, so that no layer can leave out those of another", async () => {
  const files = [
    put("m.json", { deny: ["a"], tools: { allow: ["x"], deny: ["y"] }, rules: [{ deny: "delete" }] }, "machine"),
    put("c.json", { deny: ["b"], tools: { allow: ["z"], deny: ["w"] }, rules: [{ allow: "delete" }] }),
  ];
  const { raw } = await layerConfig({}, { deny: ["c"] }, files);
  expect(raw.deny).toEqual(["a", "b", "c"]);
  expect(raw.toolList).toEqual({ allow: ["z"], deny: ["y", "w"] });
  expect(raw.rules?.map(({ deny, allow }) => deny ?? allow)).toEqual(["delete", "delete"]);
});

test("a file may have comments and trailing commas, and every rule knows its line", async () => {
  const file = put("c.json", '{\n  // why\n  "rules": [\n    { "deny": "delete" },\n    { "ask": "move" },\n  ],\n}\n');
  expect((await layerConfig({}, {}, [file])).raw.rules?.map(({ source }) => source)).toEqual([
    `${file.path}:4`,
    `${file.path}:5`,
  ]);
});

test.each([
  ['{"mdoe": "plan"}', 'there is no key "mdoe"; did you mean mode?'],
  ['{"tools": {"alow": []}}', 'there is no key "alow" in tools; did you mean allow?'],
  ['{"rules": [{"dney": "x"}]}', 'there is no key "dney" in rules.0; did you mean deny?'],
  ['{"clients": {"x": {"profil": "full"}}}', "did you mean profile?"],
  ['{"mode": "edits"}', "mode is wrong"],
  ['{"lock": ["mode"]}', "only the machine's file may lock keys"],
  ["{", "it is not JSON"],
  ["[]", "it is wrong"],
])("%s is refused", async (text, said) => {
  expect((await failureIn(layerConfig({}, {}, [put("c.json", text)]))).message).toContain(said);
});

describe("the machine's file", () => {
  test("the machine's file locks keys against every later layer", async () => {
    const machine = put("m.json", { mode: "plan", lock: ["mode", "fence"] }, "machine");
    expect((await layerConfig({ fence: "auto" }, {}, [machine])).raw.mode).toBe("plan");
    const typed = await failureIn(layerConfig({}, { mode: "bypass" }, [machine]));
    expect(typed).toMatchObject({
      code: "denied",
      message: expect.stringContaining('"mode" (command line) is locked'),
    });
    expect((await failureIn(layerConfig({}, {}, [machine, put("c.json", { fence: "off" })]))).code).toBe("denied");
  });

  test("a locked profile is what the machine's file means by its name, whatever later layers call so", async () => {
    const full = { profile: "full", mode: "bypass" };
    const reviewer = { profile: "minimal", mode: "plan" };
    for (const [said, name] of [
      [{ profile: "minimal" }, "minimal"],
      [{ profile: "reviewer", profiles: { reviewer } }, "reviewer"],
      // Nobody has defined it yet, or nobody has chosen one.
      [{ profile: "reviewer" }, "reviewer"],
      [{}, "full"],
    ] as const) {
      const machine = put("m.json", { ...said, lock: ["profile"] }, "machine");
      const profiles = { [name]: full };
      const own = put("c.json", { profiles });
      const refused = await failureIn(layerConfig({}, {}, [machine, own]));
      expect(refused).toMatchObject({
        code: "denied",
        message: `Cannot start: "profiles.${name}" (${own.path}) is locked by "${machine.path}"`,
        hint: "Leave it out; who runs this machine has decided it.",
      });
      const user = put("u.yaml", JSON.stringify({ profiles }), "user");
      expect((await failureIn(layerConfig({}, {}, [machine, user]))).message).toContain(`"profiles.${name}"`);
      const typed = layerConfig({}, { profiles } as RawConfig, [machine]);
      expect((await failureIn(typed)).message).toContain(`"profiles.${name}" (command line)`);
      const others = put("c.json", { profiles: { other: full } });
      expect((await layerConfig({}, {}, [machine, others])).raw.profiles).toHaveProperty("other", full);
    }
    const free = put("m.json", { profile: "minimal" }, "machine");
    const changed = await layerConfig({}, {}, [free, put("c.json", { profiles: { minimal: full } })]);
    expect(resolveSettings(changed.raw).profile).toBe("full");
  });

  test("the machine's file is refused when others than root can write it", async () => {
    const machine = put("m.json", {}, "machine");
    chmodSync(machine.path, 0o666);
    expect((await failureIn(layerConfig({}, {}, [machine]))).code).toBe("denied");
  });
});

const putRootFile = (text: string | object): string => put("root/.ringfence.json", text).path;
const loadRoot = async (typed: RawConfig = {}): Promise<RawConfig> =>
  (await layerConfig({}, { roots: [join(top, "root")], ...typed }, [])).raw;

describe("a root's own file", () => {
  test("a root's own file narrows mode, tools and rules", async () => {
    const path = putRootFile({
      mode: "plan",
      deny: ["x"],
      read_only: true,
      baseline: "required",
      rules: [{ ask: "move" }],
    });
    expect(await loadRoot({ mode: "bypass", deny: ["y"] })).toMatchObject({
      mode: "plan",
      deny: ["y", "x"],
      readOnly: true,
      baseline: "required",
      rules: [{ ask: "move", source: `${path}:1` }],
    });
  });

  test("a file in a root widens nothing: a wider mode has no effect, and an allow is refused", async () => {
    putRootFile({ mode: "bypass", read_only: false });
    expect(await loadRoot({ mode: "default", readOnly: true })).toMatchObject({ mode: "default", readOnly: true });
    for (const key of ["allow", "roots", "state_dir", "fence", "profile", "clients", "secrets", "lock"]) {
      putRootFile({ [key]: [] });
      expect((await failureIn(loadRoot())).message).toContain(`there is no key "${key}"`);
    }
    putRootFile({ rules: [{ allow: "delete" }] });
    expect((await failureIn(loadRoot())).message).toContain('there is no key "allow" in rules.0');
  });

  test("a root's own file is not followed as a link", async () => {
    put("other.json", {});
    symlinkSync(join(top, "other.json"), join(top, "root", ".ringfence.json"));
    expect((await failureIn(loadRoot())).message).toContain("not a regular file");
  });

  test("a file in a root lets no call be decided more freely, whatever it says", async () => {
    const STRICTNESS = { allow: 0, ask: 1, deny: 2 };
    const said = fc.record(
      {
        mode: fc.constantFrom(...MODES),
        read_only: fc.boolean(),
        deny: fc.array(fc.constantFrom("a", "src")),
        rules: fc.array(fc.constantFrom({ deny: "write_file" }, { ask: "write_file(src/**)" }, { deny: "*(a)" })),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...MODES), said, fc.constantFrom("a", "src/b"), async (mode, file, path) => {
        rmSync(join(top, "root", ".ringfence.json"), { force: true });
        const before = decide(await loadRoot({ mode }), path);
        putRootFile(file);
        expect(STRICTNESS[decide(await loadRoot({ mode }), path)]).toBeGreaterThanOrEqual(STRICTNESS[before]);
      }),
      { numRuns: 100 },
    );
  });
});

function decide(raw: RawConfig, path: string): "allow" | "ask" | "deny" {
  const { mode, rules, readOnly } = resolveSettings(raw);
  if (readOnly) return "deny";
  const tool = { name: "write_file", effect: "change" } as const;
  const targets = [{ path, rel: path, absolute: `/r/${path}`, mode: "write" as const }];
  return evaluate(
    { tool, targets, removes: false, mode: mode satisfies Mode },
    { rules: rules.map(parseRule), grants: [] },
  ).type;
}

const program = (path: string): object => ({ description: "x", program: path });

test("commands of all layers are merged, the last one of a name holds, and a root declares none", async () => {
  const machine = put("m.json", { commands: { a: program("/1"), b: program("/2") } }, "machine");
  const own = put("c.json", {
    commands: { b: program("/3"), deny: program("/4") },
    command_folders: ["more"],
  });
  const { raw } = await layerConfig({}, {}, [machine, own]);
  expect(raw.commands as object).toMatchObject({ a: { program: "/1" }, b: { program: "/3" } });
  expect(raw.commands?.["deny"]).toMatchObject({ program: "/4" });
  expect(raw.commandFolders).toEqual([join(top, "more")]);
  for (const key of ["commands", "command_folders", "shell"]) {
    writeFileSync(join(top, "root", ".ringfence.json"), JSON.stringify({ [key]: {} }));
    expect((await failureIn(layerConfig({}, { roots: [join(top, "root")] }, []))).message).toContain(key);
  }
});
