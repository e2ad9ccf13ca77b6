/**
 * `ringfence spaces` as a person uses it, with the compiled binary: what is there, a review, an approval by its hash, and a call in
 * the host's own fence afterwards.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, ServeProcess } from "../binary/serve-process.ts";
import { DEPLOY, laySpace, SAY } from "../systems/k/space-folder.ts";
import { runRingfence, type CliResult } from "./run-ringfence.ts";

let place: Place;

async function run(...args: readonly string[]): Promise<CliResult> {
  return await runRingfence(place, [...args, "--root", place.root, "--config", join(place.path, "spaces.json")]);
}

function toolNames(listed: unknown): readonly string[] {
  return (listed as readonly { readonly name: string }[]).map(({ name }) => name);
}

/** As a client sees them. */
async function servedNames(): Promise<readonly string[]> {
  const command = ["serve", "--root", place.root, "--config", join(place.path, "spaces.json")];
  await using served = await ServeProcess.start(place, { command, env: { XDG_STATE_HOME: place.path } });
  const { result } = await served.ask(1, "tools/list");
  return toolNames(result?.["tools"]);
}

beforeAll(() => {
  place = new Place();
  const spaces = join(place.path, "spaces");
  laySpace(join(spaces, "good"), { "tools/deploy.yaml": DEPLOY, "tools/deploy.sh": SAY });
  laySpace(join(spaces, "broken"), { "manifest.json": `{"id": "a:b"}` });
  writeFileSync(
    join(place.path, "spaces.json"),
    JSON.stringify({ spaces: [spaces], mode: "accept_edits", rules: [{ allow: "space_good_deploy" }] }),
  );
});
afterAll(() => place[Symbol.dispose]());

describe.skipIf(process.platform !== "linux")("ringfence spaces", () => {
  test("spaces and doctor name what waits and what is broken, and nothing fails for it", async () => {
    const list = await run("spaces");
    expect(list.code).toBe(0);
    expect(list.stdout).toMatch(/good +0 +deploy/);
    expect(list.stdout).toContain(`the id "a:b" is not made of`);
    const doctor = await run("doctor");
    expect(doctor.stdout).toMatch(/warn {2}space \(left out\) .*broken.*the id "a:b"/);
    expect(doctor.stdout).toContain("ok    space good");
    expect(doctor.code).toBe(0);
  });

  test("review shows the tool and what it starts, approve takes exactly what was shown, and then it runs fenced", async () => {
    const shown = await run("spaces", "review", "good");
    expect(shown.code).toBe(1);
    expect(shown.stdout).toContain("Deploys the current branch");
    expect(shown.stdout).toContain("tools/deploy.sh");
    const [, label = ""] = /spaces approve (good@[0-9a-f]{16})/.exec(shown.stdout) ?? [];
    const wrong = await run("spaces", "approve", "good@0123456789abcdef");
    expect(wrong.stderr).toContain("that is not what the space");
    expect((await run("tools")).stdout).not.toContain("space_good_deploy");
    expect((await run("tools", "--all", "--wide")).stdout).toMatch(
      /space_good_deploy .*waits for a person: `.*spaces review/,
    );
    expect((await run("spaces", "approve", label)).stdout).toContain("Approved: 1 tool of good");
    expect((await run("tools")).stdout).toMatch(/space_good_deploy +run +space:good:deploy +Deploy to Staging/);
    expect(toolNames(JSON.parse((await run("tools", "--json")).stdout))).toEqual(await servedNames());
    const called = await run("call", "space_good_deploy", "branch=a b");
    expect(called.stdout + called.stderr).toContain("[a b]");
    expect(called.stdout + called.stderr).toContain("Fence: kernel");
  });
});
