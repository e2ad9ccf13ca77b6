/**
 * Which program each platform's desktop is asked with: a fixed one, with the path as one argument of its own.
 */
import { expect, test } from "bun:test";
import { desktopCommand } from "../../src/proc/index.ts";

const path = "/srv/a b/$(x); rm.txt";

const cases: [platform: string, action: "open" | "reveal", command: readonly string[] | undefined][] = [
  ["darwin", "open", ["/usr/bin/open", path]],
  ["darwin", "reveal", ["/usr/bin/open", "-R", path]],
  ["win32", "open", ["explorer.exe", path]],
  ["win32", "reveal", ["explorer.exe", `/select,${path}`]],
  ["linux", "open", ["setsid", "--fork", "xdg-open", path]],
  ["linux", "reveal", ["setsid", "--fork", "xdg-open", "/srv/a b"]],
  ["aix", "open", undefined],
];
test.each(cases)("the desktop is asked to open %s %s", (platform, action, command) => {
  expect(desktopCommand(action, path, platform)).toEqual(command as never);
});

test("what lies at the top is shown in the top", () => {
  expect(desktopCommand("reveal", "/a", "linux")?.at(-1)).toBe("/");
});
