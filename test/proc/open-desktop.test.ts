/**
 * The desktop's commands of every platform, as pure output: fixed programs, the path as one argument.
 */
import { describe, expect, test } from "bun:test";
import { desktopCommand } from "../../src/proc/index.ts";

describe("desktopCommand", () => {
  const path = "/r/a; rm -rf $HOME & b.txt";
  const cases: readonly (readonly ["open" | "reveal", string, readonly string[] | undefined])[] = [
    ["open", "darwin", ["/usr/bin/open", path]],
    ["reveal", "darwin", ["/usr/bin/open", "-R", path]],
    ["open", "win32", ["explorer.exe", path]],
    ["reveal", "win32", ["explorer.exe", `/select,${path}`]],
    ["reveal", "aix", undefined],
  ];
  for (const [action, platform, expected] of cases)
    test(`${action} on ${platform}`, () => expect(desktopCommand(action, path, platform)).toEqual(expected));

  test("on Linux the path stays one argument, and its directory is what is revealed", () => {
    expect(desktopCommand("open", path, "linux")?.at(-1)).toBe(path);
    expect(desktopCommand("reveal", "/r/dir/a.txt", "linux")?.at(-1)).toBe("/r/dir");
    expect(desktopCommand("reveal", "/a.txt", "linux")?.at(-1)).toBe("/");
  });
});
