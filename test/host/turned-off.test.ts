/**
 * What a call is told of a tool that this host could have and does not offer: the entry that would bring it where there is none,
 * and else the reason of `ringfence tools --all`.
 */
import { expect, test } from "bun:test";
import { loadPacks, type RawConfig } from "../../src/config/index.ts";
import { component } from "../components/component.ts";
import { openTestHost } from "./in-memory-host.ts";

const git = component("git");

/** The reason in the answer to a call of the tool, or the whole answer where there is none. */
async function reasonFor(
  name: string,
  config: RawConfig,
  packSettings: RawConfig["packSettings"] = {},
): Promise<string> {
  const packs = await loadPacks({ packSettings, dialect: "ringfence" });
  await using host = openTestHost({ config: { ...config, packSettings }, packs });
  const { error } = await host.request("tools/call", { name, arguments: {} });
  const explained = await host.request("ringfence/policy/explain", { name, arguments: {} });
  expect(explained.error.message).toBe(error.message);
  const [, reason] = /exists but is turned off on this host\. (.*) Only the person/.exec(error.message) ?? [];
  return reason ?? error.message;
}

test.skipIf(git.isMissing)(
  `tools of git are said to be off without a repository, and how they come${git.note}`,
  async () => {
    const byWorkTree = 'The reason: no root was a git work tree at the start; "packs": {"git": {}} switches it on.';
    const byEntry = 'It is there with "packs": {"git":{"write":true}} in the configuration.';
    for (const name of ["git_status", "git.diff"])
      expect([name, await reasonFor(name, {})]).toEqual([name, byWorkTree]);
    for (const settings of [{}, { git: {} }]) expect(await reasonFor("git_commit", {}, settings)).toBe(byEntry);
    expect(await reasonFor("git_log", {}, { git: { enabled: false } })).toBe(
      "The reason: the configuration switches it off.",
    );
  },
);

test("a tool of a pack that is on is off for the reason that keeps it out of the list", async () => {
  const web = { web: {} };
  for (const name of ["web_fetch", "web.fetch"]) {
    expect(await reasonFor(name, { readOnly: true }, web)).toBe("The reason: this host only reads.");
    expect(await reasonFor(name, { toolList: { deny: ["web_fetch"] } }, web)).toBe(
      "The reason: the configuration denies it.",
    );
    expect(await reasonFor(name, {})).toStartWith('It is there with "packs": {"web":');
  }
  expect(await reasonFor("memory_write", { profile: "minimal" }, { memory: {} })).toBe(
    "The reason: it is not in the profile.",
  );
  expect(await reasonFor("web_search", {}, web)).toStartWith('It is there with "packs": {"web":{"search":');
});
