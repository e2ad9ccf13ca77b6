/**
 * Calls of other people's tools that send something out of the machine: what a person allows for good covers all of it, and the
 * answer that comes back has no secrets.
 */
import { expect, test } from "bun:test";
import * as z from "zod";
import { defineTool, type Target } from "../../src/contract/index.ts";
import { openTestHost } from "../host/in-memory-host.ts";

const TOKEN = `ghp_${"a1B2".repeat(9)}`;

const post = defineTool({
  name: "post_page",
  title: "Post a page",
  summary: "Sends a page.",
  effect: "reach",
  input: z.strictObject({
    url: z.string().describe("The address."),
    content: z.string().describe("The body."),
    path: z.string().describe("A file that is sent too."),
  }),
  output: z.looseObject({}),
  access: ({ url }): Target[] => [{ kind: "url", url, method: "POST" }],
  run: () => ({ text: `token ${TOKEN}`, structured: { token: TOKEN } }),
});

const URL = "https://api.example/v1";

test("the exact rule of a call that sends something covers its body and every other argument", async () => {
  await using host = openTestHost({ tools: [post] });
  const send = (args: object) => host.call("post_page", { url: URL, content: "a", path: "a.txt", ...args });
  const { failure } = await send({});
  const { rule } = (failure!.details as { params: { rule: string } }).params;
  await host.request("ringfence/grants/add", { rule });
  expect((await send({})).failure).toBeUndefined();
  expect((await send({ content: "b" })).failure?.code).toBe("needs_approval");
  expect((await send({ path: "/etc/passwd" })).failure?.code).toBe("needs_approval");
});

test.each(["text", "structured"] as const)(
  "secrets in what comes from elsewhere are replaced in the %s",
  async (results) => {
    await using host = openTestHost({ tools: [post], config: { mode: "bypass", results } });
    const { result } = await host.request("tools/call", {
      name: "post_page",
      arguments: { url: URL, content: "", path: "" },
    });
    expect(JSON.stringify(result)).toContain("token");
    expect(JSON.stringify(result)).not.toContain(TOKEN);
  },
);
