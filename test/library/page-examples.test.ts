/**
 * The programs of docs/library.md that make a host, or need none, run as they stand there.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { runExample } from "../binary/run-example.ts";
import { Workspace } from "./workspace.ts";

const PAGE = readFileSync(join(REPOSITORY, "docs", "library.md"), "utf8");
const PROGRAMS = [...PAGE.matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
  .map(([, text = ""]) => text)
  .filter((text) => /\b(?:createHost|analyzeCommand)\(/.test(text));

/** A line of what each prints, in the order of the page. */
const PRINTED: readonly RegExp[] = [
  /^\d+ false one/m,
  /^applied\n.*nothing is deleted here$/m,
  /^true \{[\s\S]*status: "applied"/m,
  /^HELLO$/m,
  /^true$/m,
  /^ask \[ "rm", "npm" \] \[ "build" \] reaches/m,
];

let folder = "";

/** Inside of the repository, so that `ringfence` is found by its name. */
beforeAll(() => {
  mkdirSync(join(REPOSITORY, ".cache"), { recursive: true });
  folder = mkdtempSync(join(REPOSITORY, ".cache", "library-page-"));
});

afterAll(() => rmSync(folder, { recursive: true }));

test("the page has as many programs as are expected of it", () => {
  expect(PROGRAMS.length).toBe(PRINTED.length);
});

test.each(PRINTED.map((printed, index) => [index, printed] as const))(
  "program %i of the page prints what its reader expects",
  async (index, printed) => {
    using place = new Workspace({ "report.txt": "one\n" });
    const file = join(folder, `program-${index}.ts`);
    writeFileSync(file, (PROGRAMS[index] ?? "").replaceAll("/srv/project", place.root));
    const ran = await runExample([process.execPath, file], { XDG_STATE_HOME: place.stateDir });
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(printed);
  },
);
