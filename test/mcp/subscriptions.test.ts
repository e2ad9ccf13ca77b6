/**
 * `subscriptions/listen`: acknowledged first and only for what this server has, ended by its client or with the input.
 */
import { expect, test } from "bun:test";
import { MODERN_META, openTestHost, type Json, type TestHost } from "../host/in-memory-host.ts";
import { settled, until } from "../waits/until.ts";

const listen = (id: string, notifications: unknown): Json => ({
  jsonrpc: "2.0",
  id,
  method: "subscriptions/listen",
  params: { notifications, _meta: MODERN_META },
});
const ID = "io.modelcontextprotocol/subscriptionId";

async function acknowledged(host: TestHost, id: string): Promise<Json> {
  return await until("it to be acknowledged", () => host.messages.find(({ params }) => params?._meta?.[ID] === id));
}

test("a subscription honours what can change here, and nothing else", async () => {
  await using host = openTestHost();
  host.burst([listen("a", { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ["x:y"] })]);
  expect(await acknowledged(host, "a")).toEqual({
    jsonrpc: "2.0",
    method: "notifications/subscriptions/acknowledged",
    params: { notifications: { toolsListChanged: true }, _meta: { [ID]: "a" } },
  });
});

test("a subscription stays open while others are answered, and its client ends it without an answer", async () => {
  await using host = openTestHost();
  host.burst([listen("a", {})]);
  await acknowledged(host, "a");
  expect((await host.request("ping")).result).toEqual({});
  host.burst([{ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "a" } }]);
  await settled("the session", host.session.settled());
  expect(host.messages.filter(({ id }) => id === "a")).toEqual([]);
});

test("a subscription ends with a result at the end of the input", async () => {
  await using host = openTestHost();
  host.burst([listen("a", {}), listen("b", { toolsListChanged: true })]);
  await acknowledged(host, "b");
  host.session.endInput();
  await settled("the session", host.session.settled());
  for (const id of ["a", "b"])
    expect((await host.answerTo(id)).result).toMatchObject({ resultType: "complete", _meta: { [ID]: id } });
});

test.each([undefined, null, [], 5, { resourceSubscriptions: "x" }, { taskIds: [1] }])(
  "a filter that is none is refused: %j",
  async (notifications) => {
    await using host = openTestHost();
    const meta = {
      _meta: {
        ...MODERN_META,
        "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
      },
    };
    const { error } = await host.request("subscriptions/listen", { notifications, ...meta });
    expect(error.code).toBe(-32602);
  },
);

test("the number of subscriptions is bounded", async () => {
  await using host = openTestHost();
  host.burst(Array.from({ length: 65 }, (_, at) => listen(`s${at}`, {})));
  expect((await host.answerTo("s64")).error.code).toBe(-32602);
});

test("a subscription is refused outside of the modern era", async () => {
  await using host = openTestHost();
  expect((await host.request("subscriptions/listen", { notifications: {} })).error.code).toBe(-32601);
});
