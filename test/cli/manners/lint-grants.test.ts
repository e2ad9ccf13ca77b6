/**
 * Grants that do nothing, or more than they seem to: `check` names them as it names rules, with the command that takes them back.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place } from "../../binary/serve-process.ts";
import { runRingfence, type CliResult } from "../run-ringfence.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

interface Checked {
  readonly code: number;
  readonly wide: readonly { readonly source: string; readonly allows: string }[];
  readonly grants: readonly {
    readonly id: string;
    readonly rule: string;
    readonly kind: string;
    readonly why: string;
  }[];
}

async function run(command: readonly string[], rules: readonly object[] = []): Promise<CliResult> {
  const path = join(place.path, "ringfence.json");
  writeFileSync(path, JSON.stringify({ shell: { enabled: true }, rules }));
  return await runRingfence(place, [...command, "--root", place.root, "--state-dir", place.stateDir, "--config", path]);
}

async function check(rules: readonly object[] = []): Promise<Checked> {
  const { code, stdout } = await run(["check", "--json"], rules);
  return { ...(JSON.parse(stdout) as Checked), code };
}

/** As the host keeps it. */
let written = 0;
function keep(grant: object): string {
  const id = `g_${String(++written).padStart(22, "A")}`;
  const folder = join(place.stateDir, "grants");
  mkdirSync(folder, { recursive: true });
  const kept = {
    id,
    roots: [place.root],
    at: `2026-11-${String(written).padStart(2, "0")}T00:00:00.000Z`,
    remembered: true,
    ...grant,
  };
  writeFileSync(join(folder, `${id}.json`), JSON.stringify(kept));
  return id;
}

test("check says nothing of grants that allow something, and ends with 0", async () => {
  expect((await run(["grants", "add", "write_file(notes/**)"])).code).toBe(0);
  keep({ rule: "write_file(notes/b.txt)", roots: ["/"] });
  keep({ rule: "edit_file(notes/**)", until: "2999-01-01T00:00:00.000Z" });
  keep({ rule: "mcp:other:search(**)", roots: ["/"] });
  keep({ rule: "client_pick(**)" });
  expect(await check()).toMatchObject({ code: 0, grants: [], wide: [] });
});

test("check names grants that can never apply, and why", async () => {
  keep({ rule: "write_fil(notes/**)" });
  keep({ rule: "write_file(../a.txt)" });
  keep({ rule: "write_file(/nowhere/**)" });
  keep({ rule: "write_file(a.txt)", roots: [join(place.path, "gone")] });
  keep({ rule: "write_file(" });
  const { code, grants } = await check();
  expect(code).toBe(1);
  expect(grants.map(({ kind, why }) => [kind, why])).toEqual([
    ["impossible", "there is no tool write_fil"],
    ["impossible", "a path never holds .. when it is matched"],
    ["impossible", "it lies in no root"],
    ["impossible", `its root ${join(place.path, "gone")} is not there any more`],
    ["impossible", expect.stringContaining("it is not tool or tool(pattern)")],
  ]);
});

test("check names a grant that a deny covers, for these roots alone", async () => {
  keep({ rule: "write_file(generated/a.txt)" });
  keep({ rule: "write_file(generated/b.txt)", roots: ["/"] });
  keep({ rule: "write_file(src/a.txt)" });
  const { grants } = await check([{ deny: "group:change(generated/**)" }, { ask: "write_file(src/**)" }]);
  expect(grants).toMatchObject([{ rule: "write_file(generated/a.txt)", kind: "denied" }]);
  expect(grants[0]?.why).toMatch(/^group:change\(generated\/\*\*\) \(.*ringfence\.json:\d+\) holds over all of it$/);
});

test("check names the later of two copies, unless the earlier one ends before it or is for other roots", async () => {
  const first = keep({ rule: "write_file(a.txt)" });
  keep({ rule: "write_file(a.txt)" });
  keep({ rule: "write_file(a.txt)", roots: ["/"] });
  keep({ rule: "edit_file(a.txt)", until: "2999-01-01T00:00:00.000Z" });
  keep({ rule: "edit_file(a.txt)" });
  keep({ rule: "append_file(a.txt)" });
  const { grants } = await check([{ allow: "append_file(a.txt)" }]);
  expect(grants).toMatchObject([
    { kind: "copy", why: `write_file(a.txt) (grant ${first}) says the same` },
    { kind: "copy", rule: "append_file(a.txt)" },
  ]);
});

test("check names a grant that has ended, and the command that takes it back", async () => {
  const id = keep({ rule: "write_file(a.txt)", until: "2026-01-01T00:00:00.000Z" });
  const { code, stdout } = await run(["check"]);
  expect(code).toBe(1);
  expect(stdout).toEndWith(
    `problem: ended grant write_file(a.txt) (${id}): its time was over at 2026-01-01T00:00:00.000Z\n` +
      `Take back what nobody needs: ringfence grants revoke ${id} --state-dir ${place.stateDir}\n`,
  );
  expect((await run(["grants", "revoke", id])).code).toBe(0);
  expect((await run(["check"])).code).toBe(0);
});

test("check names a grant that allows more than it seems to, with an exit code of its own", async () => {
  const id = keep({ rule: "shell(python3 *)" });
  expect(await check()).toMatchObject({
    code: 4,
    grants: [],
    wide: [{ source: `grant ${id}`, allows: expect.stringContaining("runs any code") }],
  });
  expect((await run(["check"])).stdout).toEndWith("A grant is narrowed by taking it back and granting less.\n");
});
