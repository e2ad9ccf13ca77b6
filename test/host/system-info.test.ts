/** What `system_info` tells of a host besides its facts: packs, who reaches a network, and what is off, each with its reason. */
import { describe, expect, test } from "bun:test";
import { loadPacks, type RawConfig } from "../../src/config/index.ts";
import { openTestHost, type Json } from "./in-memory-host.ts";

async function told(
  config: RawConfig,
  packSettings: RawConfig["packSettings"] = {},
): Promise<{ readonly lines: readonly string[]; readonly data: Json }> {
  const packs = await loadPacks({ packSettings, dialect: "ringfence" });
  await using host = openTestHost({ config: { results: "structured", ...config, packSettings }, packs });
  const { text, result } = await host.call("system_info", {});
  return { lines: text.split("\n"), data: result.structuredContent };
}

describe("system_info", () => {
  test("system_info names every pack that is off, and what would switch it on", async () => {
    const { lines, data } = await told({});
    expect(lines).toContain(
      'pack git (git): off; no root was a git work tree at the start; "packs": {"git": {}} switches it on',
    );
    expect(lines).toContain(
      'pack media (Pictures and sound): off; "packs": {"media": {}} in the configuration switches it on',
    );
    expect(lines).toContain(
      'pack web (The web): off; "packs": {"web": {"network":{"reach":["..."]}}} in the configuration switches it on',
    );
    expect(data.packs).toContainEqual(expect.objectContaining({ name: "sessions", state: "off" }));
  });

  test("system_info names a host once that a pack has listed and searches too", async () => {
    const [reach, url] = [["localhost:9077"], "http://localhost:9077"];
    const { lines } = await told({}, { web: { network: { reach }, search: { backend: "searxng", url } } });
    expect(lines).toContain("reach: pack web: localhost:9077");
    expect(lines).toContain(
      "pack web (The web): on; pages runs in sandbox; reaches localhost:9077; searches with searxng at localhost:9077",
    );
  });

  test("system_info says which tools are off and why", async () => {
    const { lines, data } = await told({ readOnly: true, toolList: { deny: ["grep"] } });
    expect(lines).toContain("off: grep: the configuration denies it");
    expect(lines.find((line) => line.includes("write_file"))).toMatch(/^off: .*write_file.*: this host only reads$/);
    expect(lines).toContain("off: shell: the configuration does not enable it");
    expect(data.off).toContainEqual({ tools: ["grep"], why: "the configuration denies it" });
  });

  test("system_info says that nothing reaches a network, or who does, without secrets of addresses", async () => {
    expect((await told({})).lines).toContain("reach: nothing of this host reaches a network");
    const { lines, data } = await told({
      commands: {
        fetch: { description: "Fetches.", program: "/bin/true", network: "internet" },
        count: { description: "Counts.", program: "/bin/true" },
      },
      upstream: { wiki: { url: "https://wiki.example:8443/mcp?token=abc" } },
      upstreamReach: ["wiki.example:8443"],
    });
    expect(lines.filter((line) => line.startsWith("reach: "))).toEqual([
      "reach: command fetch: internet",
      "reach: server wiki: wiki.example:8443",
    ]);
    expect(data.reach).toEqual([
      { who: "command fetch", network: "internet" },
      { who: "server wiki", network: "wiki.example:8443" },
    ]);
  });
});
