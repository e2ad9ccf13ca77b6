/**
 * The article "Local Tool Bundle" on git: its list of commands that are close to read-only has `git status` and `git diff`, its
 * loop of an agent inspects both, and what writes is asked about.
 */
import { expect, test } from "bun:test";
import { git, openRepositoryHost } from "../../packs/git/repository.ts";

const shell = { enabled: true };

test.skipIf(git.isMissing)(
  `the article's "git status" and "git diff" run at once, as lines and as tools${git.note}`,
  async () => {
    await using host = openRepositoryHost({ "a.txt": "one\n" }, { shell });
    host.write("a.txt", "two\n");
    for (const command of ["git status", "git diff"]) {
      const { text, proposal } = await host.call("shell", { command });
      expect([command, proposal]).toEqual([command, undefined]);
      expect(text).toContain("a.txt");
    }
    expect((await host.call("git_status")).text).toContain("modified: a.txt");
    expect((await host.call("git_diff")).text).toContain("-one\n+two");
  },
);

test.skipIf(git.isMissing)(
  `the article's "git checkout -- file" and "git reset --hard" are asked about, also behind a line that reads${git.note}`,
  async () => {
    await using host = openRepositoryHost({ "a.txt": "one\n" }, { shell });
    host.write("a.txt", "two\n");
    for (const command of ["git checkout -- a.txt", "ls && git reset --hard", "git reset --hard"])
      expect([command, (await host.call("shell", { command })).proposal?.risk]).toEqual([command, "R4"]);
    expect(host.read("a.txt")).toBe("two\n");
  },
);
