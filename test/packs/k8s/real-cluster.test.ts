/**
 * The tools of clusters with a real kube-apiserver: what the server of the other tests is a copy of. `bun run test:k8s` runs it.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { KUBERNETES_SERVER, recipeBlock } from "../../upstream/kubernetes-recipe.ts";
import { openUpstreamHost, type Servers } from "../../upstream/upstream-host.ts";
import type { WebHost } from "../web/web-host.ts";
import { kubeconfigOf, openK8sHost } from "./k8s-host.ts";
import { LOG_LINES, WEAK_TOKEN } from "./own-cluster.ts";
import { openRealCluster, PROGRAMS, type RealCluster } from "./real-cluster.ts";
import { STATES } from "./recorded-answers.ts";

const isMissing = !existsSync(PROGRAMS.apiserver) || !existsSync(PROGRAMS.etcd);
const note = isMissing ? " (needs kube-apiserver and etcd: bun run test:k8s)" : "";

test.skipIf(isMissing)(
  `a real cluster is read as the one of the tests: pages, states, selectors, logs and refusals${note}`,
  async () => {
    await using cluster = await openRealCluster();
    await fill(cluster);
    await using host = await openK8sHost(cluster);
    await readAll(host, cluster);
    await using weak = await openK8sHost(cluster, {
      kubeconfig: kubeconfigOf(cluster, { user: { token: WEAK_TOKEN } }),
    });
    const { failure, all } = await weak.call("k8s_pods", {});
    expect(failure?.code).toBe("denied");
    expect(all).toContain('User \\"nobody\\" cannot list resource \\"pods\\"');
    await using nobody = await openK8sHost(cluster, {
      kubeconfig: kubeconfigOf(cluster, { user: { token: "a-token-of-nobody-at-all" } }),
    });
    expect((await nobody.call("k8s_pods", {})).all).toContain("does not accept the credential of stage");
    await followRecipe(cluster);
  },
  300_000,
);

async function readAll(host: WebHost, cluster: RealCluster): Promise<void> {
  const found: unknown[] = [];
  let next: object | undefined = { limit: 7 };
  while (next) {
    const answer = await host.call("k8s_pods", next);
    expect(answer.failure).toBeUndefined();
    found.push(
      ...(answer.structured["items"] as { name: string; status: string; ready: string }[]).map((one) => [
        one.name,
        one.status,
        one.ready,
      ]),
    );
    next = answer.structured["next"] as object | undefined;
  }
  expect(found).toEqual(
    kept()
      .map(([state, ready, , { metadata }]) => [metadata.name, state, ready])
      .sort(byName),
  );
  const selected = await host.call("k8s_pods", {
    label_selector: "app in (web,oom)",
    field_selector: "spec.nodeName=node-1",
  });
  expect((selected.structured["items"] as { name: string }[]).map(({ name }) => name)).toEqual(["oom-1", "web-1"]);
  expect((await host.call("k8s_deployments", {})).structured["items"]).toMatchObject([
    { name: "web", replicas: 3, ready: 0 },
  ]);
  expect((await host.call("k8s_logs", { pod: "web-1", tail: 2 })).text).toEndWith(LOG_LINES.slice(-2).join("\n"));
  const two = await host.call("k8s_logs", { pod: "half-1" });
  expect([two.failure?.code as string, two.all]).toEqual(["invalid_input", expect.stringContaining("[app job]")]);
  expect((await host.call("k8s_logs", { pod: "missing" })).failure?.code).toBe("not_found");
  const begun = await host.call("k8s_pods", { limit: 1 });
  await cluster.forget();
  const late = await host.call("k8s_pods", begun.structured["next"] as object);
  expect([late.failure?.code as string, late.all]).toEqual(["stale", expect.stringContaining("Begin again without")]);
}

/** The server that the recipe names, where it is installed. */
async function followRecipe(cluster: RealCluster): Promise<void> {
  if (KUBERNETES_SERVER.isMissing) return;
  const folder = mkdtempSync(join(tmpdir(), "ringfence-recipe-"));
  const kubeconfig = join(folder, "k8s.kubeconfig");
  writeFileSync(kubeconfig, kubeconfigOf(cluster), { mode: 0o600 });
  const { upstream } = recipeBlock(0, { kubeconfig, url: cluster.url }) as { readonly upstream: Servers };
  try {
    await using host = await openUpstreamHost(upstream, { config: { fence: "auto", mode: "bypass" } });
    expect((await host.call("k8s_services", { namespace: "payments" })).text).toMatch(/web +ClusterIP +10\.0\.0\.17/);
    expect((await host.call("k8s_events", { namespace: "payments" })).text).toContain("Back-off restarting");
    const log = await host.call("mcp_k8s_pods_log", { name: "web-1", namespace: "payments", tail: 2 });
    expect(log.text).toContain(LOG_LINES.slice(-2).join("\n"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const byName = ([a = ""]: readonly string[], [b = ""]: readonly string[]): number => (a < b ? -1 : 1);

/** Nobody deletes here, and a cluster before 1.29 knows no init containers that stay. */
function kept(): typeof STATES {
  return STATES.filter(
    ([state, , , { metadata }]) => !["Terminating", "Unknown"].includes(state) && !metadata.name.startsWith("sidecar-"),
  );
}

async function fill({ send }: RealCluster): Promise<void> {
  await send("POST", "/api/v1/namespaces", { kind: "Namespace", apiVersion: "v1", metadata: { name: "payments" } });
  const at = "/api/v1/namespaces/payments/pods";
  for (const [, , , { metadata, spec, status }] of kept()) {
    const { name, labels } = metadata;
    await send("POST", at, { kind: "Pod", apiVersion: "v1", metadata: { name, labels }, spec });
    await send("PATCH", `${at}/${name}/status`, { status }, "application/merge-patch+json");
  }
  await send("POST", "/api/v1/namespaces/payments/services", {
    kind: "Service",
    apiVersion: "v1",
    metadata: { name: "web" },
    spec: { clusterIP: "10.0.0.17", ports: [{ port: 80 }], selector: { app: "web" } },
  });
  await send("POST", "/api/v1/namespaces/payments/events", {
    kind: "Event",
    apiVersion: "v1",
    metadata: { name: "crash-1.17a" },
    involvedObject: { kind: "Pod", namespace: "payments", name: "crash-1", apiVersion: "v1" },
    reason: "BackOff",
    message: "Back-off restarting failed container",
    lastTimestamp: new Date().toISOString(),
    count: 17,
    type: "Warning",
  });
  await send("POST", "/apis/apps/v1/namespaces/payments/deployments", {
    kind: "Deployment",
    apiVersion: "apps/v1",
    metadata: { name: "web" },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "web", image: "registry.example/web:1" }] },
      },
    },
  });
}
