/**
 * Strings of a model and of a repository that are patterns to somebody: the compiled binary answers every one of them, and
 * ends with its input. Nothing here has a clock; a host that hangs is the failure.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fc } from "../property.ts";
import { settled } from "../waits/until.ts";
import { Place, ServeProcess } from "./serve-process.ts";

const NAMES = ["(\\\\", "[\\\\", "{\\\\", '"\\\\', "(".repeat(200), "!(".repeat(60), "*(a|aa)".repeat(20)];

const CALLS: Readonly<Record<string, (path: string) => object>> = {
  write_file: (path) => ({ path, content: "x" }),
  create_directory: (path) => ({ path }),
  edit_file: (path) => ({ path, old_text: "a", new_text: "b" }),
  move: (path) => ({ source: "a.txt", destination: path }),
  delete: (path) => ({ path, recursive: true }),
  read_file: (path) => ({ path }),
  glob: (pattern) => ({ pattern }),
  list_directory: (path) => ({ path, exclude: [path] }),
  grep: (path) => ({ pattern: "x", path: ".", include: [path], literal: true }),
  apply_patch: (path) => ({ patch: `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch\n` }),
  change_files: (path) => ({ operations: [{ op: "write_file", path, content: "x" }] }),
};

async function askAll(host: ServeProcess, names: readonly string[]): Promise<void> {
  const asked = names.flatMap((name, at) =>
    Object.entries(CALLS).flatMap(([tool, argsOf]) => {
      const args = argsOf(name);
      host.call(`${at} ${tool}`, tool, args);
      host.request(`${at} explain ${tool}`, "ringfence/policy/explain", { name: tool, arguments: args });
      return [`${at} ${tool}`, `${at} explain ${tool}`];
    }),
  );
  names.forEach((name, at) => {
    // A rule in an id of its own would be longer than an id may be.
    [`write_file(${name})`, `${name}(a)`, `write_file(exact:${name})`].forEach((rule, which) => {
      host.request(`${at} grant ${which}`, "ringfence/grants/add", { rule });
      asked.push(`${at} grant ${which}`);
    });
  });
  for (const id of asked) await host.answer(id);
}

async function ends(host: ServeProcess): Promise<number> {
  await host.child.stdin.end();
  return await settled("the end of the host", host.child.exited);
}

test("paths that are patterns are answered, with rules that ask and without", async () => {
  using place = new Place();
  writeFileSync(join(place.root, "a.txt"), "a\n");
  const config = join(place.path, "config.json");
  writeFileSync(config, JSON.stringify({ rules: [{ ask: "*(**)" }] }));
  for (const args of [[], ["--config", config]]) {
    await using host = await ServeProcess.start(place, { args: [...args, "--fence=off"] });
    await askAll(host, NAMES);
    expect(await ends(host)).toBe(0);
  }
});

test("rules of a cloned repository are answered, whatever their patterns are", async () => {
  using place = new Place();
  // A rule that begins with an exclamation mark is refused at the start.
  const names = NAMES.filter((one) => !one.startsWith("!"));
  const patterns = [...names, `**/${"*a".repeat(25)}b`, `**/${"+(a|aa)".repeat(12)}b`];
  const rules = patterns.flatMap((pattern) => [{ deny: `write_file(${pattern})` }, { ask: `*(${pattern})` }]);
  // Some of the others are refused at the start, because they would not deny what they name.
  const deny = patterns.filter((pattern) => pattern.startsWith("**/"));
  const own = { deny, rules, tools: { deny: [...patterns, "*z*z*z*z*z*z*z*z!"] } };
  writeFileSync(join(place.root, ".ringfence.json"), JSON.stringify(own));
  await using host = await ServeProcess.start(place, { args: ["--fence=off"] });
  await askAll(host, [`d/${"a".repeat(60)}.txt`, "a/".repeat(400), "plain.txt"]);
  expect(await ends(host)).toBe(0);
});

test("random signs are answered, as path, as pattern and as rule", async () => {
  using place = new Place();
  const text = fc.string({
    unit: fc.constantFrom(...Array.from("()[]{}\"'\\*?!|,ab/")),
    minLength: 1,
    maxLength: 40,
  });
  const names = fc.sample(text, 60);
  writeFileSync(
    join(place.root, ".ringfence.json"),
    // A slash can make a path of it that no file has, which is refused at the start.
    JSON.stringify({ deny: fc.sample(text, 40).flatMap((one) => (one.includes("/") ? [] : `x${one}`)) }),
  );
  await using host = await ServeProcess.start(place, { args: ["--fence=off", "--mode=accept_edits"] });
  await askAll(host, names);
  expect(await ends(host)).toBe(0);
});

test("any string in a repository's own file is answered, or refused at the start with the reason", async () => {
  const text = fc.string({
    unit: fc.constantFrom(...Array.from("()[]{}\"'\\*?!|,ab/")),
    minLength: 1,
    maxLength: 40,
  });
  for (const one of [...NAMES, "(\\\\\\\\", ...fc.sample(text, 6)])
    for (const own of [{ deny: [one] }, { rules: [{ deny: `write_file(${one})` }, { ask: one }] }]) {
      using place = new Place();
      writeFileSync(join(place.root, ".ringfence.json"), JSON.stringify({ ...own, tools: { deny: [one] } }));
      await using host = await ServeProcess.start(place, { args: ["--fence=off"] });
      host.call("write", "write_file", { path: "a.txt", content: "x" });
      const answer = await host.answerOrEnd("write");
      const code = await host.endInput();
      if (answer) expect(code).toBe(0);
      else expect(await host.stderr).toMatch(/^error: invalid_input: Cannot (?:start|use the rule)/);
    }
});
