/**
 * The webhook of `ringfence notify`: what is posted, and that a receiver which hangs, redirects or fails is nobody's affair.
 */
import { afterEach, expect, test } from "bun:test";
import { webhookChannel } from "../../src/cli/notify/notice-channels.ts";
import type { Notice } from "../../src/cli/notify/notice-manners.ts";
import { postWebhook } from "../../src/cli/notify/post-webhook.ts";
import { until } from "../waits/until.ts";

const notice: Notice = {
  kind: "again",
  waiting: ["R2", "R4", "R2"].map((risk, at) => ({
    id: `p_${at}`,
    change: "Edit secret-project.ts",
    risk,
    client: "agent",
    expiresMs: 1,
  })),
};

let server: ReturnType<typeof Bun.serve> | undefined;
afterEach(async () => {
  await server?.stop(true);
});

function receiver(answer: (request: Request) => Response | Promise<Response>): string {
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  return `http://127.0.0.1:${server.port}/hook`;
}

test("a webhook gets counts and risks, and no name, no path and no id", async () => {
  const got: { method: string; type: string | null; body: unknown }[] = [];
  using channel = webhookChannel(
    receiver(async (request) => {
      const { method, headers } = request;
      got.push({ method, type: headers.get("content-type"), body: await request.json() });
      return new Response("ok");
    }),
  );
  channel.tell(notice);
  await until("the post", () => got.length > 0);
  expect(got).toEqual([
    {
      method: "POST",
      type: "application/json",
      body: {
        event: "ringfence.waiting",
        kind: "again",
        text: "ringfence: 3 proposals still need you",
        waiting: 3,
        risks: { R2: 2, R4: 1 },
      },
    },
  ]);
});

test("a redirect is not followed, and neither an error nor a dead port is said", async () => {
  const paths: string[] = [];
  const url = receiver((request) => {
    paths.push(new URL(request.url).pathname);
    return Response.redirect("/elsewhere", 307);
  });
  await postWebhook(url, {});
  expect(paths).toEqual(["/hook"]);
  await server?.stop(true);
  await postWebhook(url, {});
});
