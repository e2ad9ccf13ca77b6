/**
 * Flynn's tools of clusters: their names, their parameters and their group; and rules about what they read.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { component } from "../../components/component.ts";
import { openK8sHost } from "../../packs/k8s/k8s-host.ts";
import { openCluster, type OwnCluster } from "../../packs/k8s/own-cluster.ts";
import type { WebHost } from "../../packs/web/web-host.ts";

const openssl = component("openssl");
let cluster: OwnCluster;

beforeAll(async () => {
  if (!openssl.isMissing) cluster = await openCluster();
});

afterAll(async () => {
  if (!openssl.isMissing) await cluster[Symbol.asyncDispose]();
});

async function namesIn(host: WebHost): Promise<readonly string[]> {
  const { tools = [] } = await host.ask("tools/list");
  return tools.map(({ name }) => name).filter((name) => name.startsWith("k8s"));
}

test.skipIf(openssl.isMissing)(
  `k8s.pods, k8s.deployments and k8s.logs are called by the names and parameters that Flynn has${openssl.note}`,
  async () => {
    await using host = await openK8sHost(cluster, { config: { dialect: "flynn" } });
    expect(await namesIn(host)).toEqual(["k8s.pods", "k8s.deployments", "k8s.logs"]);
    expect((await host.call("k8s.pods", { namespace: "payments", selector: "app=web" })).text).toContain("web-1");
    expect((await host.call("k8s.deployments", {})).text).toContain("api");
    const given = { pod: "two", namespace: "payments", container: "app", lines: 1, since: "10m" };
    expect((await host.call("k8s.logs", given)).text).toEndWith("line 1000 of the log");
    expect(cluster.heard.at(-1)?.url.search).toBe("?container=app&tailLines=1&limitBytes=1048576&sinceSeconds=600");
  },
);

test.skipIf(openssl.isMissing)(`group:k8s of Flynn is all three of them${openssl.note}`, async () => {
  await using host = await openK8sHost(cluster, { config: { dialect: "flynn", tools: { deny: ["group:k8s"] } } });
  expect(await namesIn(host)).toEqual([]);
});

test.skipIf(openssl.isMissing)(
  `a rule with stars means pods of every namespace, and one for a whole cluster no other cluster${openssl.note}`,
  async () => {
    const rules = [{ deny: "k8s_logs(*/*/pod/vault-*)" }, { deny: "group:k8s(prod/**)" }];
    const two = () => ({
      contexts: {
        stage: { server: cluster.url, namespace: "payments" },
        prod: { server: cluster.url, context: "stage" },
      },
      context: "stage",
    });
    await using host = await openK8sHost(cluster, { k8s: two, config: { rules } });
    const codeOf = async (tool: string, args: object): Promise<string | undefined> =>
      (await host.call(tool, args)).failure?.code;
    const before = cluster.heard.length;
    expect(await codeOf("k8s_logs", { pod: "vault-0" })).toBe("denied");
    expect(await codeOf("k8s_logs", { pod: "vault-0", namespace: "other" })).toBe("denied");
    for (const tool of ["k8s_pods", "k8s_deployments"]) {
      expect(await codeOf(tool, { context: "prod" })).toBe("denied");
      expect(await codeOf(tool, { context: "prod", all_namespaces: true })).toBe("denied");
    }
    expect(await codeOf("k8s_logs", { context: "prod", pod: "web-1" })).toBe("denied");
    expect(cluster.heard.length).toBe(before);
    expect(await codeOf("k8s_logs", { pod: "web-1" })).toBeUndefined();
    expect(await codeOf("k8s_pods", {})).toBeUndefined();
  },
);

test.skipIf(openssl.isMissing)(
  `rules name cluster, namespace, kind and pod, and hold for lists in which these stand${openssl.note}`,
  async () => {
    const rules = [{ deny: "k8s_logs(stage/payments/pod/crash-*)" }, { deny: "k8s_pods(stage/secret/**)" }];
    await using host = await openK8sHost(cluster, { config: { rules } });
    const codeOf = async (tool: string, args: object): Promise<string | undefined> =>
      (await host.call(tool, args)).failure?.code;
    const before = cluster.heard.length;
    expect(await codeOf("k8s_logs", { pod: "crash-1" })).toBe("denied");
    expect(await codeOf("k8s_pods", { namespace: "secret" })).toBe("denied");
    expect(await codeOf("k8s_pods", { all_namespaces: true })).toBe("denied");
    expect(cluster.heard.length).toBe(before);
    expect(await codeOf("k8s_logs", { pod: "web-1" })).toBeUndefined();
    expect(await codeOf("k8s_pods", {})).toBeUndefined();
    expect(await codeOf("k8s_deployments", { all_namespaces: true })).toBeUndefined();
  },
);
