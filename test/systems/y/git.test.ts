/**
 * The worked example of Flynn's page, `git.status`: its name and parameter, and the words that its callers look for.
 */
import { expect, test } from "bun:test";
import { git, openRepositoryHost } from "../../packs/git/repository.ts";

for (const dialect of ["flynn", "flynn-plain"] as const) {
  const name = dialect === "flynn" ? "git.status" : "git_status";

  test.skipIf(git.isMissing)(`${name} of Flynn says "No changes" where there are none${git.note}`, async () => {
    await using host = openRepositoryHost({ "a.txt": "one\n" }, { dialect });
    const { result } = await host.request("tools/list");
    const listed = (result.tools as { name: string; inputSchema: object }[]).find((tool) => tool.name === name);
    expect(listed?.inputSchema).toMatchObject({ properties: { path: { type: "string" } } });
    expect((await host.call(name, {})).text).toBe("No changes");
    expect((await host.call(name, { path: "." })).text).toBe("No changes");
    expect((await host.call("git_status", { path: "a.txt" })).text).toBe("No changes");
    host.write("a.txt", "Nothing is changed.\n");
    expect((await host.call(name, {})).text).toBe("On main\nChanged, not staged:\n  modified: a.txt");
  });
}

test.skipIf(git.isMissing)(`git.status of Flynn says "Git status failed" where it fails${git.note}`, async () => {
  await using host = openRepositoryHost({ "a.txt": "one\n" }, { dialect: "flynn" });
  for (const path of ["nope", "/tmp"]) {
    const { all, result, failure } = await host.call("git.status", { path });
    expect(result.isError).toBe(true);
    expect(all).toContain("Git status failed: ");
    expect(failure?.code).toBe(path === "nope" ? "not_found" : "outside_scope");
  }
});
