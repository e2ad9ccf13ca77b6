/**
 * The tools of clusters through a host: what runs, what should run, what it wrote, and what becomes of the statuses of a cluster.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Failure } from "../../../src/base/index.ts";
import { askCluster } from "../../../src/packs/k8s/ask-cluster.ts";
import { component } from "../../components/component.ts";
import type { WebAnswer, WebHost } from "../web/web-host.ts";
import { openK8sHost } from "./k8s-host.ts";
import { openCluster, say, TOKEN, type OwnCluster } from "./own-cluster.ts";
import { STATES } from "./recorded-answers.ts";
import { statusOf } from "./recorded-statuses.ts";

const openssl = component("openssl");
let cluster: OwnCluster;
let host: WebHost;

beforeAll(async () => {
  if (openssl.isMissing) return;
  cluster = await openCluster();
  host = await openK8sHost(cluster, { k8s: { per_minute: 10_000 } });
});

afterAll(async () => {
  if (openssl.isMissing) return;
  await host[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

type Items = readonly Readonly<Record<string, unknown>>[];
const itemsOf = ({ structured }: WebAnswer): Items => structured["items"] as Items;

describe.skipIf(openssl.isMissing)(`k8s_pods${openssl.note}`, () => {
  test("every state of a pod is called as kubectl calls it, with ready containers and restarts", async () => {
    const answer = await host.call("k8s_pods", {});
    expect(itemsOf(answer).map(({ name, status, ready, restarts }) => [name, status, ready, restarts])).toEqual(
      STATES.map(([status, ready, restarts, { metadata }]) => [metadata.name, status, ready, restarts]),
    );
    expect(answer.text).toMatch(
      /^From cluster stage\/payments \(untrusted, read \d\d:\d\dZ\):\n\nNAMESPACE +NAME +READY +STATUS/,
    );
    const sidecars = itemsOf(answer).find((one) => one["name"] === "sidecar-1");
    expect(sidecars?.["containers"]).toEqual(["app", "proxy"]);
    expect(answer.text).toMatch(/payments +crash-1 +0\/1 +CrashLoopBackOff +17 +\d+[hd] +node-1/);
  });

  test("a list goes on page by page with the token of the cluster, and ends", async () => {
    const names: unknown[] = [];
    let next: object | undefined = { limit: 7 };
    while (next) {
      const answer: WebAnswer = await host.call("k8s_pods", next);
      names.push(...itemsOf(answer).map(({ name }) => name));
      next = answer.structured["next"] as object | undefined;
      expect(answer.structured["truncated"]).toBe(next !== undefined);
      if (next) expect(answer.all).toContain(`To go on: k8s_pods ${JSON.stringify(next)}`);
    }
    expect(names).toEqual(STATES.map(([, , , { metadata }]) => metadata.name));
  });

  test("a token that has expired says so, and how to begin again", async () => {
    const old = Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", rv: 1, start: "7" })).toString("base64url");
    const { failure, all } = await host.call("k8s_pods", { limit: 7, continue: old });
    expect(failure?.code).toBe("stale");
    expect(all).toContain("Begin again without continue");
  });

  test("selectors are sent as they were given, encoded", async () => {
    const given = { label_selector: "app=web", field_selector: "status.phase=Running,spec.nodeName!=node-9" };
    expect(itemsOf(await host.call("k8s_pods", given)).map(({ name }) => name)).toEqual(["web-1"]);
    const { searchParams } = cluster.heard.at(-1)?.url ?? new URL("x:");
    expect(searchParams.get("labelSelector")).toBe(given.label_selector);
    expect(searchParams.get("fieldSelector")).toBe(given.field_selector);
  });

  test.each([
    ["a=b,tier in (front, back),!canary,env notin (x),v>3,example.com/part==y", true],
    ["", false],
    ["a=b&limit=1", false],
    ["a in (", false],
    ["../../secrets", false],
    ["a=b,", false],
    ["a = \u0000", false],
  ])("the selector of labels %j is taken: %p", async (label_selector, isTaken) => {
    const before = cluster.heard.length;
    const { failure } = await host.call("k8s_pods", { label_selector });
    expect([failure?.code, cluster.heard.length - before] as unknown).toEqual(
      isTaken ? [undefined, 1] : ["invalid_input", 0],
    );
  });

  test.each([
    ["k8s_pods", "label_selector", "!!", "it is no selector of labels"],
    ["k8s_pods", "field_selector", "x", "it is no selector of fields"],
    ["k8s_logs", "since", "5x", "it is neither a duration nor a time"],
  ])("%s names the argument %s that is wrong by itself", async (tool, name, value, why) => {
    const { all } = await host.call(tool, { ...(tool === "k8s_logs" ? { pod: "web-1" } : {}), [name]: value });
    expect(all).toContain(`Cannot call "${tool}": the argument ${name} cannot be "${value}": ${why}`);
    expect(all).toContain(`${name} is a string: Only what `);
  });

  test("pods of all namespaces are asked for at once", async () => {
    const answer = await host.call("k8s_pods", { all_namespaces: true });
    expect(itemsOf(answer).map(({ namespace }) => namespace)).toContain("monitoring");
    expect(cluster.heard.at(-1)?.url.pathname).toBe("/api/v1/pods");
  });

  test("a namespace that could be a path is refused and nothing is asked", async () => {
    const before = cluster.heard.length;
    for (const namespace of ["../kube-system", "a/b", "a%2fb", "A", "x".repeat(64)])
      expect((await host.call("k8s_pods", { namespace })).failure?.code).toBe("invalid_input");
    expect(cluster.heard.length).toBe(before);
  });
});

test.skipIf(openssl.isMissing)(
  `k8s_deployments says how many replicas are ready, and why one does not get on${openssl.note}`,
  async () => {
    const answer = await host.call("k8s_deployments", {});
    expect(itemsOf(answer)).toMatchObject([
      {
        name: "web",
        replicas: 3,
        ready: 3,
        updated: 3,
        available: 3,
        images: ["registry.example/web:1.4.2"],
        problems: [],
      },
      { name: "api", replicas: 2, ready: 1, problems: ["Progressing: ProgressDeadlineExceeded"] },
      { name: "off", replicas: 0, ready: 0, available: 0 },
    ]);
    expect(answer.text).toMatch(/payments +api +1\/2 +1 +1 +\d+[hd] +registry\.example\/api:1\.4\.2 +Progressing/);
  },
);

describe.skipIf(openssl.isMissing)(`k8s_logs${openssl.note}`, () => {
  test("the last lines of a pod are shown, marked as somebody else's", async () => {
    const { text, structured } = await host.call("k8s_logs", { pod: "web-1", tail: 2 });
    expect(text).toMatch(
      /^From cluster stage\/payments\/pod\/web-1 \(untrusted, read \d\d:\d\dZ\):\n\nline 999 of the log\nline 1000 of the log$/,
    );
    expect(structured).toMatchObject({ pod: "web-1", lines: 2, truncated: false });
  });

  test("container, previous, since and timestamps reach the cluster in its own words", async () => {
    const given = { pod: "two", container: "job", previous: true, since: "1h30m", timestamps: true, max_bytes: 5000 };
    expect((await host.call("k8s_logs", given)).text).toEndWith("before the restart");
    expect(Object.fromEntries(cluster.heard.at(-1)?.url.searchParams ?? [])).toEqual({
      container: "job",
      tailLines: "200",
      previous: "true",
      timestamps: "true",
      limitBytes: "5000",
      sinceSeconds: "5400",
    });
    await host.call("k8s_logs", { pod: "web-1", since: "2026-11-23T10:00:00Z" });
    expect(cluster.heard.at(-1)?.url.searchParams.get("sinceTime")).toBe("2026-11-23T10:00:00Z");
    for (const since of ["", "1x", "h", "-5m", "yesterday", "2026-13-45T99:00:00Z", "0s"])
      expect((await host.call("k8s_logs", { pod: "web-1", since })).failure?.code).toBe("invalid_input");
  });

  test("more lines, bytes or objects than the descriptions say are refused, and the usual ones are asked for", async () => {
    for (const args of [{ tail: 5001 }, { tail: 0 }, { max_bytes: 4_194_305 }, { max_bytes: 1023 }])
      expect((await host.call("k8s_logs", { pod: "web-1", ...args })).failure?.code).toBe("invalid_input");
    for (const tool of ["k8s_pods", "k8s_deployments"])
      expect((await host.call(tool, { limit: 501 })).failure?.code).toBe("invalid_input");
    await host.call("k8s_logs", { pod: "web-1" });
    expect(cluster.heard.at(-1)?.url.search).toBe("?tailLines=200&limitBytes=1048576");
    await host.call("k8s_deployments", {});
    expect(cluster.heard.at(-1)?.url.search).toBe("?limit=100");
  });

  test("a log that ends at the limit of bytes says that newer lines are missing", async () => {
    const { all, structured } = await host.call("k8s_logs", { pod: "web-1", max_bytes: 1024 });
    expect(all).toContain("newer lines are missing");
    expect(structured).toMatchObject({ truncated: true, bytes: 1024 });
  });

  test("the newest lines of a long log are shown, and all of it is linked", async () => {
    cluster.on = (_, response) =>
      say(response, 200, Array.from({ length: 5000 }, (_one, at) => `entry ${at} ${"x".repeat(40)}`).join("\n"));
    const { text, all, result } = await host.call("k8s_logs", { pod: "web-1", tail: 5000 });
    cluster.on = undefined;
    expect(text).toEndWith(`entry 4999 ${"x".repeat(40)}`);
    expect(text).not.toContain("entry 0 ");
    expect(all).toMatch(/The last \d+ of 5000 lines are shown/);
    expect(result.content?.some(({ type }) => type === "resource_link")).toBe(true);
  });
});

describe.skipIf(openssl.isMissing)(`what a cluster refuses${openssl.note}`, () => {
  test.each([
    [400, "invalid_input", "Name one of the containers"],
    [401, "denied", "does not accept the credential of stage"],
    [403, "denied", "a Role of the cluster has to allow it"],
    [404, "not_found", "k8s_pods lists"],
    [410, "stale", "Begin again without continue"],
    [429, "busy", "Try again in 7 seconds"],
    [500, "command_failed", "Try again in a moment"],
  ] as const)("the status %d is the failure %s with the next step", async (status, code, hint) => {
    cluster.on = (_, response) => say(response, status, statusOf(status, { pod: "two" }), { "retry-after": "7" });
    const { failure, all } = await host.call("k8s_logs", { pod: "two" });
    cluster.on = undefined;
    expect([failure?.code as string, all]).toEqual([code, expect.stringContaining(hint)]);
  });

  test.each([
    ['container "web" in pod "web-1" is waiting to start: ContainerCreating', "does not run yet", "later"],
    ["container nope is not valid for pod web-1", "Name one of the containers", "changed"],
    ["a container name must be specified for pod two, choose one of: [app job]", "Name one of the", "changed"],
    ["invalid container log range", "Correct the arguments", "changed"],
  ] as const)("the next step after the status 400 is that of its words: %s", async (message, hint, retry) => {
    cluster.on = (_, response) => say(response, 400, { kind: "Status", message });
    const { failure, all } = await host.call("k8s_logs", { pod: "web-1" });
    cluster.on = undefined;
    expect([failure?.code as string, failure?.retry as string]).toEqual(["invalid_input", retry]);
    expect(all).toContain(hint);
  });

  test("a cluster that answers too late is asked for less, in words of the tools", async () => {
    const late = new Failure("timed_out", "Cannot reach it: no whole answer", {
      hint: "Ask with a longer timeout_ms.",
    });
    const http = Object.assign(async () => await Promise.reject(late), {
      check: () => undefined,
      presign: async () => "",
    });
    const place = { alias: "stage", server: cluster.url, namespace: "payments", hasCredential: true };
    const request = { place, path: ["api"], query: {}, accept: "*/*", maxBytes: 1, what: "list" };
    const thrown: unknown = await askCluster(request, { http } as never).catch((failure: unknown) => failure);
    expect((thrown as Failure).data).toEqual({
      ...late.data,
      hint: expect.stringContaining("with limit or a selector, or with tail"),
    });
  });

  test("the words of the cluster stand quoted in the failure", async () => {
    const { all } = await host.call("k8s_logs", { pod: "missing" });
    expect(all).toContain('status 404; the cluster says "pods \\"missing\\" not found"');
  });
});

test.skipIf(openssl.isMissing)(
  `a credential stands in no answer, no record and no configuration that is shown${openssl.note}`,
  async () => {
    expect((await host.call("k8s_pods", {})).failure).toBeUndefined();
    expect(cluster.heard.at(-1)).toMatchObject({ user: "robot", headers: { authorization: `Bearer ${TOKEN}` } });
    const said = [
      await host.call("k8s_pods", {}),
      await host.call("system_info", {}),
      host.recorded("connected"),
      host.recorded("happened"),
    ];
    expect(JSON.stringify(said)).not.toContain(TOKEN);
    expect(host.recorded("connected").at(-1)).toMatchObject({
      pack: "k8s",
      host: "127.0.0.1",
      port: cluster.port,
      status: 200,
    });
  },
);
