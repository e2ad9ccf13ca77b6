/**
 * The rule that an ask suggests, by the front door and for every tool: once it stands in the configuration that very call
 * is made, whole, and the same call on the directory beside it is still asked about.
 */
import { expect, test } from "bun:test";
import { builtinTools } from "../../src/packs/index.ts";
import { openTestHost, type CallAnswer, type TestHost } from "../host/in-memory-host.ts";
import { fc } from "../property.ts";

type Call = (folder: string) => object;

const patchOf = (folder: string): string =>
  `--- a/${folder}/in.txt\n+++ b/${folder}/in.txt\n@@ -1 +1 @@\n-needle\n+thread\n`;

/** On a folder that holds `in.txt`, `two.txt` and `sub/deep.txt`. */
const CALLS: Readonly<Record<string, Call>> = {
  list_directory: (path) => ({ path, recursive: true }),
  read_file: (folder) => ({ path: `${folder}/in.txt` }),
  read_files: (folder) => ({ files: [{ path: `${folder}/in.txt` }, { path: `${folder}/sub/deep.txt` }] }),
  stat: (folder) => ({ path: `${folder}/in.txt` }),
  glob: (path) => ({ path, pattern: "**/*.txt" }),
  grep: (path) => ({ path, pattern: "needle" }),
  disk_usage: (path) => ({ path }),
  hash_file: (folder) => ({ path: `${folder}/in.txt` }),
  tree: (path) => ({ path }),
  diff_files: (folder) => ({ a: `${folder}/in.txt`, b: `${folder}/two.txt` }),
  write_file: (folder) => ({ path: `${folder}/new.txt`, content: "x\n" }),
  edit_file: (folder) => ({ path: `${folder}/in.txt`, old_text: "needle", new_text: "thread" }),
  replace: (folder) => ({ path: `${folder}/in.txt`, pattern: "needle", replacement: "thread", dry_run: false }),
  append_file: (folder) => ({ path: `${folder}/in.txt`, content: "more\n" }),
  create_directory: (folder) => ({ path: `${folder}/made` }),
  move: (folder) => ({ source: `${folder}/sub`, destination: `${folder}/moved` }),
  copy: (folder) => ({ source: `${folder}/sub`, destination: `${folder}/copied`, recursive: true }),
  delete: (folder) => ({ path: `${folder}/sub`, recursive: true }),
  apply_patch: (folder) => ({ patch: patchOf(folder) }),
  change_files: (folder) => ({
    operations: [
      { op: "write_file", path: `${folder}/new.txt`, content: "x\n" },
      { op: "delete", path: `${folder}/two.txt` },
    ],
  }),
};

const NAMES = ["notes", "with space", "a(b)", "{x,y}", "[k]", "!bang", "st*r", "+p@", "qu'ote", "ünï", "#h"];

function filesIn(folder: string): Record<string, string> {
  return {
    [`${folder}/in.txt`]: "needle\n",
    [`${folder}/two.txt`]: "needle two\n",
    [`${folder}/sub/deep.txt`]: "needle deep\n",
  };
}

function escaped(path: string): string {
  return path.replace(/[\\*?[\]{}()!+@|]/g, "\\$&");
}

/** @param top of another host, which holds the same roots */
function open(name: string, rules: readonly object[], top?: string): TestHost {
  const files = { ...filesIn(name), ...filesIn(`${name}2`) };
  return openTestHost({ files, config: { mode: "accept_edits", rules }, ...(top ? { top } : {}) });
}

function outcomeOf({ failure, proposal }: CallAnswer): string {
  return failure?.code ?? (proposal ? "proposed" : "made");
}

interface Suggested {
  readonly rules: readonly string[];
  readonly onlyAsGrant: boolean;
}

async function suggestedBy(host: TestHost, answer: CallAnswer): Promise<Suggested> {
  const decision = answer.failure?.details?.["decision"] as
    | { suggested_rule?: string; only_as_grant?: true }
    | undefined;
  const rules = decision?.suggested_rule === undefined ? await host.rulesOf(answer) : [decision.suggested_rule];
  return { rules, onlyAsGrant: decision?.only_as_grant === true };
}

test("every tool that goes to paths has a call here", () => {
  const without = builtinTools.filter(({ name }) => !Object.hasOwn(CALLS, name)).map(({ name }) => name);
  expect(without).toEqual(["system_info", "await_review", "open_path", "reveal_in_os"]);
});

test.each(Object.entries(CALLS))(
  "the rule that is suggested for %s allows that very call, and none beside it",
  async (tool, argsFor) => {
    const kinds = fc.constantFrom("all", "group", "folder");
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...NAMES), kinds, async (name, kind) => {
        const folder = `*(${escaped(name)}/**)`;
        const ask = { all: "*", group: "group:fs(**)", folder }[kind];
        const args = argsFor(name);
        await using asking = open(name, [{ ask }]);
        const asked = await asking.call(tool, args);
        expect(["proposed", "needs_approval"]).toContain(outcomeOf(asked));
        const { rules, onlyAsGrant } = await suggestedBy(asking, asked);
        expect(rules.length).toBeGreaterThan(0);
        const added = onlyAsGrant ? [] : rules.map((allow) => ({ allow }));
        await using settled = open(name, [{ ask }, ...added], asking.top);
        if (onlyAsGrant) for (const rule of rules) await settled.request("ringfence/grants/add", { rule });
        const made = await settled.call(tool, args);
        expect([rules, outcomeOf(made)]).toEqual([rules, "made"]);
        // Whole: nothing was left out on the way.
        expect(made.all).not.toContain("denied");
        if (tool === "grep") expect(made.all).toContain("deep.txt");
        if (kind === "folder") return;
        expect(["proposed", "needs_approval"]).toContain(outcomeOf(await settled.call(tool, argsFor(`${name}2`))));
      }),
      { numRuns: 6 },
    );
  },
  120_000,
);

test("a grant alone settles a call that a rule asks about by the very same words, and explain says so", async () => {
  await using host = open("notes", [{ ask: "grep(notes/**)" }]);
  const args = { path: "notes", pattern: "needle" };
  const asked = await host.call("grep", args);
  const { rules, onlyAsGrant } = await suggestedBy(host, asked);
  const [rule = ""] = rules;
  expect(onlyAsGrant).toBe(true);
  expect(rule).toStartWith("grep(exact:");
  const { result } = await host.request("ringfence/policy/explain", { name: "grep", arguments: args });
  const forThis = `--root ${host.root} --state-dir ${host.stateDir}`;
  expect(result.change).toBe(`ringfence grants add '${rule}' ${forThis}`);
  await host.request("ringfence/grants/add", { rule });
  expect((await host.call("grep", args)).all).toContain("notes/sub/deep.txt");
});

test("the rule that is suggested is quoted for a shell, whatever a caller put into its path", async () => {
  await using host = open("notes", [{ ask: "read_file" }]);
  const path = "notes/$(id)';touch owned;'.txt";
  const hint = (await host.call("read_file", { path })).failure?.hint ?? "";
  const command = /`ringfence grants add (.*)`;/.exec(hint)?.[1] ?? "";
  const { stdout } = Bun.spawnSync(["sh", "-c", `printf '%s\\n' ${command}`], { cwd: host.top });
  const call = { risk: "R1", acts: [["read", host.root, path]] };
  const rule = `read_file(exact:${JSON.stringify({ call })})`;
  const words = [rule, "--root", host.root, "--state-dir", host.stateDir, ""];
  expect(stdout.toString().split("\n")).toEqual(words);
  const { result } = await host.request("ringfence/policy/explain", {
    name: "read_file",
    arguments: { path },
  });
  expect(result.change).toContain(command);
});
