/**
 * What is asked of Landlock, by its versions, and which rules a host gets. The kernel's side is tested on the binary.
 */
import { describe, expect, test } from "bun:test";
import { fenceRules, mappedFiles } from "../../src/fence/fence-rules.ts";
import { describeFence, parseMark } from "../../src/fence/index.ts";
import { rightsOf, rulesetAttributes } from "../../src/fence/landlock.ts";
import { seatbeltProfile } from "../../src/fence/seatbelt-profile.ts";

const MAPS = `00200000-01a39000 r--p 00000000 fe:00 100 /opt/ring fence/ringfence
01a39000-05000000 r-xp 01839000 fe:00 100 /opt/ring fence/ringfence
7f00-7f01 r-xp 00026000 fe:00 7 /usr/lib/libc.so.6
7f02-7f03 r--p 00000000 fe:00 8 /usr/lib/locale/archive
7f04-7f05 r-xp 00000000 fe:00 9 /usr/lib/gone.so (deleted)
7f06-7f07 r-xp 00000000 00:00 0 [vdso]
7f08-7f09 rwxp 00000000 00:00 0 
`;

function attributes(abi: number): bigint[] {
  return [...rulesetAttributes(abi)];
}

test("each version governs what it knows", () => {
  expect(attributes(3)).toEqual([0x7fffn]);
  expect(attributes(4)).toEqual([0x7fffn, 3n]);
  expect(attributes(5)).toEqual([0xffffn, 3n]);
  expect(attributes(6)).toEqual([0xffffn, 3n, 3n]);
  expect(attributes(7)).toEqual([0xffffn, 3n, 3n]);
});

describe("rights", () => {
  const READ_FILE = 1 << 2;
  const READ_DIRECTORY = 1 << 3;
  const TRUNCATE = 1 << 14;

  test("the rights of a directory to read are what they were", () => {
    expect(rightsOf("read", 7, true)).toBe(READ_FILE | READ_DIRECTORY);
  });

  test("the rights of a single file are those that a file can have", () => {
    expect(rightsOf("read", 7, false)).toBe(READ_FILE);
    expect(rightsOf("change", 7, false)).toBe(READ_FILE | (1 << 1) | TRUNCATE);
  });

  test("the rights never include devices or running what is in a root", () => {
    const forbidden = (1 << 0) | (1 << 6) | (1 << 11) | (1 << 15);
    for (const access of ["read", "change", "use"] as const) expect(rightsOf(access, 7, true) & forbidden).toBe(0);
  });
});

test("the rules are the roots, the state folder, the program with its libraries, and the runtime's own", () => {
  const roots = [
    { path: "/srv/a", readOnly: false },
    { path: "/srv/b", readOnly: true },
  ];
  const rules = fenceRules({
    roots,
    stateDir: "/state",
    executable: "/opt/ring fence/ringfence",
    maps: MAPS,
  });
  expect(rules.filter(({ access }) => access === "change").map(({ path }) => path)).toEqual(["/srv/a", "/state"]);
  expect(rules.filter(({ access }) => access === "run").map(({ path }) => path)).toEqual([
    "/opt/ring fence/ringfence",
    "/usr/lib/libc.so.6",
  ]);
  expect(rules.find(({ path }) => path === "/srv/b")?.access).toBe("read");
  const read = rules.filter(({ access }) => access === "read").map(({ path }) => path);
  for (const tree of ["/", "/etc", "/proc", "/usr", "/home", "/dev"]) expect(read).not.toContain(tree);
});

test("mapped code is found by its real path, with spaces, once", () => {
  expect(mappedFiles(MAPS)).toEqual(["/opt/ring fence/ringfence", "/usr/lib/libc.so.6"]);
});

test("the mark of the second start", () => {
  expect(parseMark("behind-fence:7:6")).toEqual({ abi: 7, carried: 6, kept: undefined });
  expect(parseMark("behind-fence:7:6:5")).toEqual({ abi: 7, carried: 6, kept: 5 });
  for (const other of ["", "behind-fence:", "behind-fence:x", "launcher", "behind-fence:7", "behind-fence:7:6:5:3"])
    expect(parseMark(other)).toBeUndefined();
});

test("a fence is described in words", () => {
  expect(describeFence({ kind: "kernel", abi: 7, filtered: true })).toBe(
    "kernel (Landlock ABI 7, no sockets, no programs)",
  );
  expect(describeFence({ kind: "none", abi: 0, filtered: false, reason: "switched off" })).toBe(
    "handles only (switched off)",
  );
});

describe("the profile for macOS", () => {
  const profile = seatbeltProfile({
    roots: [
      { path: "/srv/w/locked", readOnly: true },
      { path: '/srv/w "x"', readOnly: false },
      { path: "/srv/w", readOnly: false },
    ],
    stateDir: "/srv/Library/Application Support/ringfence",
    executable: "/usr/local/bin/ringfence",
  });

  test("the profile for macOS denies what it does not name, the network and other programs", () => {
    for (const line of ["(deny default)", "(deny network*)", "(deny process-fork)"])
      expect(profile.split("\n")).toContain(line);
    expect(profile).not.toContain('(subpath "/")');
  });

  test("the profile for macOS lets the innermost root rule", () => {
    const outer = profile.indexOf('(allow file-read* file-write* (subpath "/srv/w"))');
    const inner = profile.indexOf('(deny file-write* (subpath "/srv/w/locked"))');
    expect(outer).toBeGreaterThan(0);
    expect(inner).toBeGreaterThan(outer);
  });

  test("the profile for macOS quotes what a path holds", () => {
    expect(profile).toContain('(subpath "/srv/w \\"x\\"")');
  });
});
