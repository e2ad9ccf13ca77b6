/**
 * The article on rules: "Bash(*), Bash(sh:*), Bash(bash:*), Bash(curl:*): they look convenient. In practice, they punch holes
 * through the permission system." `ringfence check` says so of each.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place } from "../../binary/serve-process.ts";
import { runRingfence } from "../../cli/run-ringfence.ts";

test.each([
  ["in its own notation", ["Bash(*)", "Bash(sh:*)", "Bash(bash:*)", "Bash(curl:*)"]],
  ["in ours", ["shell(*)", "shell(sh *)", "shell(bash *)", "shell(curl *)"]],
])("check names each rule of the article that punches a hole, with an exit code of its own, %s", async (_, holes) => {
  using place = new Place();
  const path = join(place.path, "ringfence.json");
  const allowed = [...holes, "shell(npm test)", "shell(npm test *)"];
  writeFileSync(path, JSON.stringify({ shell: { enabled: true }, rules: allowed.map((allow) => ({ allow })) }));
  const given = ["--root", place.root, "--state-dir", place.stateDir, "--config", path];
  const { code, stdout } = await runRingfence(place, ["check", ...given]);
  expect(code).toBe(4);
  const named = [...stdout.matchAll(/^wide: rule (\S+(?: \S+\))?) \(/gm)].map(([, rule]) => rule);
  expect(named).toEqual(holes);
});

test("a hole that is there on purpose is accepted by its reason", async () => {
  using place = new Place();
  const path = join(place.path, "ringfence.json");
  const rules = [{ allow: "shell(bash *)", accepted: "nothing but this container can be harmed" }];
  writeFileSync(path, JSON.stringify({ shell: { enabled: true }, rules }));
  const given = ["--root", place.root, "--state-dir", place.stateDir, "--config", path];
  expect((await runRingfence(place, ["check", ...given])).code).toBe(0);
});
