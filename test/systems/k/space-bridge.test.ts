/**
 * The operator's bridge tools, by its schemas: "Bridge-backed tools expose underscore-named public tool IDs while forwarding to
 * dotted desktop bridge RPC methods underneath", and each action of a space as a tool "{spaceId}_{actionId}".
 */
import { expect, test } from "bun:test";
import { openBridge, said, type BridgeClient } from "../../host/bridge-client.ts";
import type { RawConfig } from "../../../src/config/index.ts";

const CONFIG: RawConfig = {
  bridge: { space_tools: true },
  rules: [{ allow: "space_run_action" }, { allow: "code_*" }],
};
const open = async (config: RawConfig = CONFIG): Promise<BridgeClient> => await openBridge({ config }, []);

async function tools(client: BridgeClient): Promise<Record<string, { inputSchema: object; description: string }>> {
  const { result } = await client.host.request("tools/list");
  const listed = result.tools as { name: string; inputSchema: object; description: string }[];
  return Object.fromEntries(listed.map((tool) => [tool.name, tool]));
}

test("the four bridge tools have the schemas of the operator", async () => {
  await using client = await open();
  const all = await tools(client);
  const space_id = { type: "string", description: "Space ID (defaults to active space)" };
  expect(all["space_snapshot"]?.inputSchema).toEqual({ type: "object", properties: { space_id } });
  expect(all["space_list_actions"]?.inputSchema).toEqual({ type: "object", properties: { space_id } });
  expect(all["space_run_action"]?.inputSchema).toEqual({
    type: "object",
    properties: {
      space_id,
      action: { type: "string", description: "Action ID from space_list_actions" },
      payload: { type: "object", description: "Action parameters" },
    },
    required: ["action"],
  });
  expect(all["space_context_request"]?.inputSchema).toMatchObject({ required: ["request"] });
});

test.each(["space_snapshot", "space.snapshot"])(
  "the client is asked for space.snapshot by either name: %s",
  async (name) => {
    await using client = await open();
    const answer = client.host.call(name, { space_id: "code" });
    const asked = await client.answer(said(`{"view":"editor"}`));
    expect(asked.params).toEqual({ name: "space.snapshot", arguments: { space_id: "code" } });
    expect((await answer).text).toBe(`{"view":"editor"}`);
  },
);

test("the actions that a space lists become tools, and go when it lists others", async () => {
  await using client = await open();
  const params = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
  const list = async (actions: readonly object[]): Promise<void> => {
    const answer = client.host.call("space_list_actions", { space_id: "code" });
    await client.answer(said(JSON.stringify({ space_id: "code", actions })));
    await answer;
  };
  await list([{ id: "create_project", description: "Creates a project", params }, { id: "open" }]);
  const all = await tools(client);
  expect(all["code_create_project"]?.inputSchema).toEqual(params);
  expect(all["code_create_project"]?.description).toContain("[code] Creates a project");
  const heard = client.host.messages.filter(({ method }) => method === "notifications/tools/list_changed");
  expect(heard).toHaveLength(1);

  const answer = client.host.call("code_create_project", { title: "x" });
  const asked = await client.answer(said("made"));
  expect(asked.params).toEqual({
    name: "space.run_action",
    arguments: { space_id: "code", action: "create_project", payload: { title: "x" } },
  });
  expect((await answer).text).toBe("made");

  await list([{ id: "open" }]);
  const later = await tools(client);
  expect(later["code_create_project"]).toBeUndefined();
  expect(later["code_open"]).toBeDefined();
});

test("an action cannot take the name of a tool of the host, hidden or not, nor one that rules mean", async () => {
  await using client = await open({ ...CONFIG, toolList: { deny: ["write_file"] } });
  for (const [space_id, id] of [
    ["read", "file"],
    ["write", "file"],
    ["cmd", "deploy"],
    ["mcp", "git_log"],
    ["space", "run_action"],
    ["shell", "x y"],
    ["a:b", "c"],
  ]) {
    const before = Object.keys(await tools(client));
    const answer = client.host.call("space_list_actions", { space_id });
    await client.answer(said(JSON.stringify({ space_id, actions: [{ id, description: "x" }] })));
    await answer;
    expect(Object.keys(await tools(client))).toEqual(before);
  }
});

test.each(["", "null", "[]", `{"actions":7}`, `{"space_id":"code","actions":[null,7,{"id":{}}]}`])(
  "a client that lists nonsense adds no tool: %s",
  async (text) => {
    await using client = await open();
    const before = Object.keys(await tools(client));
    const answer = client.host.call("space_list_actions", { space_id: "code" });
    await client.answer(said(text));
    expect((await answer).failure).toBeUndefined();
    expect(Object.keys(await tools(client))).toEqual(before);
  },
);

test("without the key the bridge tools are not there", async () => {
  await using client = await open({});
  expect((await tools(client))["space_snapshot"]).toBeUndefined();
});
