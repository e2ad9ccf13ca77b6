/**
 * What is refused when a host starts: a root from which a tool could reach proposals, and globs that deny nothing.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resolveConfig, type RawConfig } from "../../src/config/index.ts";
import { checkStart } from "../../src/start/check-start.ts";
import { codeOf } from "../base/code-of.ts";

let base = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "start-")));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe("the state folder and the roots", () => {
  test("a state folder that does not exist yet is found through links", () => {
    mkdirSync(join(base, "real"));
    symlinkSync("real", join(base, "link"));
    expect(resolveConfig({ roots: [base], stateDir: join(base, "link/new/state") }).stateDir).toBe(
      join(base, "real/new/state"),
    );
  });

  for (const root of ["state", "state/proposals", "link"])
    test(`the root ${root} is refused`, () => {
      const stateDir = join(base, "state");
      mkdirSync(join(stateDir, "proposals"), { recursive: true });
      symlinkSync("state", join(base, "link"));
      expect(codeOf(() => checkStart(resolveConfig({ roots: [join(base, root)], stateDir })))).toBe("denied");
    });

  test("a root beside it, or that holds it, is fine", () => {
    mkdirSync(join(base, "state-2"));
    for (const root of [base, join(base, "state-2")])
      expect(codeOf(() => checkStart(resolveConfig({ roots: [root], stateDir: join(base, "state") })))).toBe("ok");
  });
});

describe.skipIf(process.platform !== "linux")("the state folder and declared programs", () => {
  const commands = { build: { description: "Builds.", program: "make" } };
  const PROGRAMS: [name: string, raw: RawConfig][] = [
    ["a command", { commands }],
    ["a shell", { shell: { enabled: true } }],
    ["verbs of git that change", { packSettings: { git: { write: true } } }],
  ];
  test.each(PROGRAMS)(
    "%s is refused while a root holds the state folder, also where the root is all of the system",
    (_, raw) => {
      mkdirSync(join(base, "beside"));
      const stateDir = join(base, "state");
      const start = (root: string): string =>
        codeOf(() => checkStart(resolveConfig({ ...raw, roots: [root], stateDir, allowRootFs: true })));
      expect([base, "/", "/:ro", join(base, "beside")].map(start)).toEqual(["denied", "denied", "denied", "ok"]);
    },
  );
});

test("a root that the state folder would be is refused before anything is made in it", () => {
  mkdirSync(join(base, "root"));
  chmodSync(join(base, "root"), 0o755);
  for (const stateDir of [join(base, "root"), base])
    expect(codeOf(() => checkStart(resolveConfig({ roots: [join(base, "root")], stateDir })))).toBe("denied");
  expect(readdirSync(join(base, "root"))).toEqual([]);
  expect(statSync(join(base, "root")).mode & 0o777).toBe(0o755);
});

describe("--deny", () => {
  test("slashes at the end and twice do not matter", () => {
    const deny = ["sub/", "sub//b", "a/**", `${base}//sub/`];
    expect(resolveConfig({ roots: [base], deny, stateDir: base }).deny).toEqual([
      "sub",
      "sub/b",
      "a/**",
      `${base}/sub`,
    ]);
  });

  // What begins with a slash is absolute. Taken for a glob below each root, it would silently deny nothing.
  for (const glob of ["", "/", "!sub", "/sub"])
    test(`${JSON.stringify(glob)} is refused`, () => {
      expect(codeOf(() => resolveConfig({ roots: [base], deny: [glob], stateDir: base }))).toBe("invalid_input");
    });
});
