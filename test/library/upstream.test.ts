/**
 * Tools of another MCP server through a host in this process: listed and called like any other, and the server is in a fence
 * of its own although this process can have none.
 */
import { expect, test } from "bun:test";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { openStateFolder } from "../../src/state/index.ts";
import { openUpstreamStore, reviewOf } from "../../src/upstream/index.ts";
import { hasLandlock } from "../binary/has-landlock.ts";
import { BUN, hostile } from "../upstream/upstream-host.ts";
import { Workspace } from "./workspace.ts";

const UPSTREAM = { bad: hostile("ok", "", { reads: [REPOSITORY, BUN] }) };

/** As `ringfence upstream review --approve` does it, once a call has shown what the server has. */
async function approve(place: Workspace): Promise<void> {
  openStateFolder(place.stateDir);
  const store = openUpstreamStore(place.stateDir);
  const tool = { name: "echo", description: "Not what it says.", inputSchema: { type: "object" } };
  const { hashTools } = await import("../../src/upstream/review.ts");
  store.keepTools("bad", "approved", { hash: hashTools([tool]), at: "", tools: [tool] });
  await using host = await place.open({ upstream: UPSTREAM, mode: "bypass" });
  expect((await host.callTool("mcp_bad_echo", { text: "x" })).failure?.code).toBe("denied");
  const { seen } = reviewOf(store, "bad");
  if (seen) store.keepTools("bad", "approved", seen);
}

test.skipIf(process.platform !== "linux")("a call of another server is proposed, applied and made", async () => {
  using place = new Workspace({});
  await approve(place);
  await using host = await place.open({ upstream: UPSTREAM });
  expect((await host.listTools()).map(({ name }) => name)).toContain("mcp_bad_echo");
  const { proposal } = await host.callTool("mcp_bad_echo", { text: "hi" });
  expect(proposal).toMatchObject({ tool: "mcp_bad_echo", risk: "R4" });
  const applied = await host.proposals.apply(proposal?.id ?? "");
  expect(applied).toMatchObject({ status: "applied", result: { text: "hi" } });
  const { text } = await host.callTool("system_info", {});
  expect(text).toContain(hasLandlock() ? "fence: kernel" : "fence: none");
});

test.skipIf(process.platform !== "linux")("another server is in no fence where its host wants none", async () => {
  using place = new Workspace({});
  await approve(place);
  await using host = await place.open({ upstream: UPSTREAM, mode: "bypass", fence: "off" });
  expect((await host.callTool("mcp_bad_echo", { text: "hi" })).text).toBe("hi");
  expect((await host.callTool("system_info", {})).text).toContain("fence: none (switched off)");
});
