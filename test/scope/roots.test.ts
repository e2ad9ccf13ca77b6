/**
 * What can be a root, and what a root is afterwards: the directory that was opened at the start, whatever becomes of its
 * name. When it is gone or cannot be read any more, that is said, and nothing else is served in its place.
 */
import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import * as fs from "node:fs";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure, type FailureData } from "../../src/base/index.ts";
import { configFlags, HOST_FLAGS, parseFlags } from "../../src/cli/command.ts";
import { resolveConfig } from "../../src/config/index.ts";
import { holdRoots } from "../../src/host/hold-roots.ts";
import { Scope } from "../../src/scope/index.ts";
import { HANG_MS } from "../waits/until.ts";
import { layFiles } from "../host/file-tree.ts";
import { openTestHost, type TestHost } from "../host/in-memory-host.ts";

let top = "";
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-roots-")));
  layFiles(top, { "root/a.txt": "a\n", "root/in/b.txt": "b\n", "root/in/deep/c.txt": "c\n", file: "x" });
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const CONTAINMENTS = ["auto", "portable"] as const;

function failureOf(run: () => unknown): FailureData | undefined {
  try {
    run();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.data;
    throw thrown;
  }
}

describe.each(CONTAINMENTS)("at the start, containment %s", (containment) => {
  const open = (...paths: string[]): FailureData | undefined =>
    failureOf(() => {
      const roots = paths.map((path) => ({ path, readOnly: false }));
      new Scope({ roots, containment })[Symbol.dispose]();
    });

  test("a file, something missing and a link to either are refused by name", () => {
    symlinkSync("file", join(top, "to-file"));
    symlinkSync("none", join(top, "to-none"));
    for (const [name, code] of [
      ["file", "invalid_input"],
      ["to-file", "invalid_input"],
      ["none", "not_found"],
      ["to-none", "not_found"],
      ["file/x", "invalid_input"],
    ] as const) {
      const failure = open(join(top, "root"), join(top, name));
      expect([name, failure?.code]).toEqual([name, code]);
      expect(failure?.message).toContain(join(top, name));
      expect(failure?.hint).toContain("--root");
    }
    expect(
      failureOf(() => holdRoots({ roots: [{ path: join(top, "file"), readOnly: false }], stateDir: "" }))?.code,
    ).toBe("invalid_input");
  });

  test("a link is followed once, and by either name the same root is meant", () => {
    symlinkSync("root", join(top, "name"));
    using scope = new Scope({ roots: [{ path: join(top, "name"), readOnly: false }], containment });
    rmSync(join(top, "name"));
    mkdirSync(join(top, "evil"));
    symlinkSync("evil", join(top, "name"));
    for (const path of ["a.txt", join(top, "name/a.txt"), join(top, "root/a.txt")]) {
      using file = scope.openFile(scope.locate(path, "read"), "read");
      expect(fs.readFileSync(file.fd, "utf8")).toBe("a\n");
    }
  });

  test("the innermost of nested roots decides, and the stricter of two that are the same", () => {
    const specs = [
      ["root", false],
      ["root/in", true],
      ["root/in/deep", false],
      ["root", true],
    ] as const;
    for (const count of [3, 4]) {
      const roots = specs.slice(0, count).map(([path, readOnly]) => ({ path: join(top, path), readOnly }));
      using scope = new Scope({ roots, containment });
      const rules = ["a.txt", "in/b.txt", "in/deep/c.txt", "in", "in/none"].map((path) => {
        const { root } = scope.innermost(scope.locate(path, "read"));
        return [root.index, root.readOnly];
      });
      const outer = [0, count === 4];
      expect(rules).toEqual([outer, [1, true], [2, false], [1, true], [1, true]]);
    }
  });
});

function typed(args: string[]): boolean | undefined {
  return configFlags(parseFlags(args, HOST_FLAGS)).allowRootFs;
}

describe("the whole file system", () => {
  test.each(["/", "//", "/..", "/./", "/tmp/../..", "/proc/self/root", "link", "/:ro"])(
    "%s is refused unless it is allowed",
    (spelling) => {
      symlinkSync("/", join(top, "link"));
      const path = spelling === "link" ? join(top, "link") : spelling;
      const failure = failureOf(() => resolveConfig({ roots: [join(top, "root"), path], stateDir: top }));
      expect(failure?.code).toBe("invalid_input");
      expect(failure?.hint).toContain("--allow-root-fs");
      expect(resolveConfig({ roots: [path], stateDir: top, allowRootFs: true }).allowRootFs).toBe(true);
      expect(resolveConfig({ roots: [join(top, "root")], stateDir: top }).allowRootFs).toBe(false);
    },
  );

  test("the whole file system is allowed by a flag that takes no value", () => {
    expect([typed(["--allow-root-fs", "--root", "/"]), typed(["--root", "/"])]).toEqual([true, undefined]);
    expect(() => typed(["--allow-root-fs=yes"])).toThrow("takes no value");
  });

  test("the whole file system is served with one loud line, and every path is below it", () => {
    const said: string[] = [];
    const write = spyOn(fs, "writeSync").mockImplementation(((_fd: number, text: string) => said.push(text)) as never);
    try {
      holdRoots({ roots: [{ path: join(top, "root"), readOnly: true }], stateDir: "" })[Symbol.dispose]();
      expect(said).toEqual([]);
      holdRoots({ roots: [{ path: "/", readOnly: true }], stateDir: "" })[Symbol.dispose]();
    } finally {
      write.mockRestore();
    }
    expect(said.length).toBe(1);
    expect(said[0]).toContain("WARNING");
    for (const containment of CONTAINMENTS) {
      using scope = new Scope({ roots: [{ path: "/", readOnly: true }], containment });
      symlinkSync(join(top, "root/a.txt"), join(top, containment));
      for (const path of [join(top, "root/a.txt"), join(top, containment), join(top.slice(1), "root/a.txt")]) {
        using file = scope.openFile(scope.locate(path, "read"), "read");
        expect(fs.readFileSync(file.fd, "utf8")).toBe("a\n");
      }
      expect(failureOf(() => scope.openFile(scope.locate("/../etc/passwd", "read"), "read"))?.code).toBe(
        "outside_scope",
      );
    }
  });
});

describe.each(CONTAINMENTS)("while it runs, containment %s", (containment) => {
  let host: TestHost;
  const all = async (): Promise<Record<string, string>> => {
    const calls: [tool: string, args: object][] = [
      ["read_file", { path: "a.txt" }],
      ["list_directory", { path: "." }],
      ["grep", { pattern: "a", path: "." }],
      ["glob", { pattern: "**/*" }],
      ["list_directory", { path: "in" }],
      ["stat", { path: "a.txt" }],
      ["write_file", { path: "new.txt", content: "n\n" }],
      ["write_file", { path: "in/new.txt", content: "n\n" }],
    ];
    const codes: Record<string, string> = {};
    for (const [tool, args] of calls) {
      const { failure, all: said } = await host.call(tool, args);
      expect(said).not.toContain("FOREIGN-CONTENT");
      expect(said).not.toContain("internal");
      codes[`${tool} ${JSON.stringify(args)}`] = failure?.code ?? "ok";
    }
    return codes;
  };

  beforeEach(async () => {
    mkdirSync(join(top, "foreign"));
    layFiles(join(top, "foreign"), { "a.txt": "FOREIGN-CONTENT\n", "in/b.txt": "FOREIGN-CONTENT\n" });
    host = openTestHost({ top, config: { containment, mode: "bypass" } });
    expect((await host.call("read_file", { path: "a.txt" })).failure).toBeUndefined();
    await host.call("write_file", { path: "first.txt", content: "1" });
  });
  afterEach(async () => {
    await host[Symbol.asyncDispose]();
  });

  test("a root that is deleted is said to be gone", async () => {
    rmSync(host.root, { recursive: true });
    const codes = await all();
    expect(Object.entries(codes).filter(([, code]) => code !== "not_found")).toEqual([]);
    expect((await host.call("list_directory", { path: "." })).all).toContain("its root was removed");
  });

  test("another directory in its place is not served", async () => {
    renameSync(host.root, join(top, "moved"));
    renameSync(join(top, "foreign"), host.root);
    const codes = Object.values(await all());
    expect(new Set(codes)).toEqual(new Set([containment === "portable" ? "denied" : "ok"]));
    expect(fs.existsSync(join(top, "root/new.txt"))).toBe(false);
    if (containment === "portable")
      expect((await host.call("read_file", { path: "a.txt" })).all).toContain("was replaced");
  });

  test("a link in its place is not followed", async () => {
    renameSync(host.root, join(top, "moved"));
    symlinkSync("foreign", host.root);
    const codes = Object.values(await all());
    expect(new Set(codes)).toEqual(new Set([containment === "portable" ? "denied" : "ok"]));
    expect(fs.existsSync(join(top, "foreign/new.txt"))).toBe(false);
  });

  test("a directory in it that becomes a link to outside is left", async () => {
    renameSync(join(host.root, "in"), join(top, "in-moved"));
    symlinkSync("../foreign/in", join(host.root, "in"));
    for (const path of ["in/b.txt", "in", "in/none"])
      expect((await host.call("read_file", { path })).failure?.code).toBe("outside_scope");
    expect((await host.call("write_file", { path: "in/n.txt", content: "x" })).failure?.code).toBe("outside_scope");
  });
});

/**
 * What needs another user or a namespace of one's own, which not every system gives: a program of its own that makes a
 * scope, lets something happen to the root, and says how its files can be read then.
 */
function readAfter(as: readonly string[], containment: string, before: string, after: string): unknown {
  const program = join(top, "program.ts");
  const scopeModule = join(import.meta.dir, "../../src/scope/index.ts");
  writeFileSync(
    program,
    `import { Scope } from ${JSON.stringify(scopeModule)};
     import { chmodSync, readFileSync, writeFileSync } from "node:fs";
     const sh = (...args) => { if (Bun.spawnSync(args).exitCode !== 0) throw new Error(args.join(" ")); };
     const root = ${JSON.stringify(join(top, "root"))};
     ${before};
     const scope = new Scope({ roots: [{ path: root, readOnly: false }], containment: ${JSON.stringify(containment)} });
     ${after};
     const said = ["a.txt", "in/b.txt"].map((path) => {
       try {
         using file = scope.openFile(scope.locate(path, "read"), "read");
         return readFileSync(file.fd, "utf8");
       } catch (thrown) {
         return thrown.data.code;
       }
     });
     console.log(JSON.stringify(said));`,
  );
  const { stdout, stderr } = Bun.spawnSync([...as, process.execPath, program], { timeout: HANG_MS });
  expect(stderr.toString()).toBe("");
  return JSON.parse(stdout.toString());
}

const canMount = Bun.spawnSync(["unshare", "-m", "true"]).exitCode === 0;
test.skipIf(!canMount).each(CONTAINMENTS)(
  "a root that is unmounted gives no byte of what lies under it, containment %s",
  (containment) => {
    const mount = 'sh("mount", "-t", "tmpfs", "none", root); writeFileSync(root + "/a.txt", "mounted")';
    const said = readAfter(["unshare", "-m"], containment, mount, 'sh("umount", "-l", root)');
    expect(said).toEqual(containment === "portable" ? ["denied", "denied"] : ["mounted", "not_found"]);
  },
);

/** The rights of files mean nothing to root. */
const asNobody = process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--clear-groups"] : [];
const canDrop = asNobody.length === 0 || Bun.spawnSync([...asNobody, process.execPath, "--version"]).exitCode === 0;
test.skipIf(!canDrop).each(CONTAINMENTS)(
  "a root that can no longer be entered is refused, containment %s",
  (containment) => {
    chmodSync(top, 0o755);
    if (asNobody.length > 0) fs.chownSync(join(top, "root"), 65534, -1);
    expect(readAfter(asNobody, containment, "", "chmodSync(root, 0)")).toEqual(["denied", "denied"]);
    chmodSync(join(top, "root"), 0o755);
  },
);
