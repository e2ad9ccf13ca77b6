/**
 * A real kube-apiserver with a real etcd, and a kubelet of ours, which has nothing but logs. `scripts/test-k8s.ts` says where the
 * two programs are.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthority, type OwnAuthority } from "../../reach/own-authority.ts";
import { until } from "../../waits/until.ts";
import { LOG_LINES, TOKEN, WEAK_TOKEN } from "./own-cluster.ts";

export const PROGRAMS: { readonly apiserver: string; readonly etcd: string } = {
  apiserver: process.env["RINGFENCE_TEST_KUBE_APISERVER"] ?? "",
  etcd: process.env["RINGFENCE_TEST_ETCD"] ?? "",
};

export interface RealCluster extends AsyncDisposable {
  readonly url: string;
  readonly authority: OwnAuthority;
  readonly version: string;
  /** Every state before the present one, as a cluster does after some minutes. */
  readonly forget: () => Promise<void>;
  /** As an administrator. */
  readonly send: (method: string, path: string, body?: object, type?: string) => Promise<unknown>;
}

export async function openRealCluster(): Promise<RealCluster> {
  const folder = mkdtempSync(join(tmpdir(), "ringfence-k8s-"));
  const at = (name: string): string => join(folder, name);
  const authority = createAuthority();
  const { cert, key } = authority.issue("IP:127.0.0.1", "DNS:localhost");
  for (const [name, text] of [
    ["ca.pem", authority.ca],
    ["server.crt", cert],
    ["server.key", key],
    ["tokens.csv", `${TOKEN},robot,1,system:masters\n${WEAK_TOKEN},nobody,2\n`],
  ] as const)
    writeFileSync(at(name), text, { mode: 0o600 });
  const kubelet = await listenAsKubelet(cert, key);
  const [client, peer, port] = freePorts(3);
  const etcdUrl = `http://127.0.0.1:${client}`;
  const etcd = Bun.spawn(
    [
      PROGRAMS.etcd,
      `--data-dir=${at("etcd")}`,
      `--listen-client-urls=${etcdUrl}`,
      `--advertise-client-urls=${etcdUrl}`,
      `--listen-peer-urls=http://127.0.0.1:${peer}`,
      "--unsafe-no-fsync",
    ],
    { stdout: Bun.file(at("etcd.log")), stderr: Bun.file(at("etcd.log")) },
  );
  const apiserver = Bun.spawn(
    [
      PROGRAMS.apiserver,
      `--etcd-servers=${etcdUrl}`,
      "--bind-address=127.0.0.1",
      "--advertise-address=127.0.0.1",
      `--secure-port=${port}`,
      `--cert-dir=${folder}`,
      `--tls-cert-file=${at("server.crt")}`,
      `--tls-private-key-file=${at("server.key")}`,
      `--client-ca-file=${at("ca.pem")}`,
      `--token-auth-file=${at("tokens.csv")}`,
      "--authorization-mode=RBAC",
      "--service-cluster-ip-range=10.0.0.0/24",
      "--service-account-issuer=https://tests.example",
      `--service-account-key-file=${at("server.crt")}`,
      `--service-account-signing-key-file=${at("server.key")}`,
      "--kubelet-preferred-address-types=InternalIP",
      `--kubelet-certificate-authority=${at("ca.pem")}`,
      "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
    ],
    { stdout: Bun.file(at("apiserver.log")), stderr: Bun.file(at("apiserver.log")) },
  );
  const url = `https://127.0.0.1:${port}`;
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> =>
    await fetch(`${url}${path}`, { ...init, tls: { ca: authority.ca } } as BunFetchRequestInit);
  const headers = { authorization: `Bearer ${TOKEN}` };
  const send: RealCluster["send"] = async (method, path, body, type = "application/json") => {
    const init = { method, headers: { ...headers, "content-type": type } };
    const response = await ask(path, body === undefined ? init : { ...init, body: JSON.stringify(body) });
    const answer: unknown = await response.json();
    if (response.ok) return answer;
    throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  };
  const end = async (): Promise<void> => {
    for (const program of [apiserver, etcd]) program.kill("SIGKILL");
    await Promise.all([apiserver.exited, etcd.exited]);
    kubelet.closeAllConnections();
    kubelet.close();
    authority[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until("the cluster is ready", async () => {
      if (apiserver.exitCode !== null) throw new Error(readFileSync(at("apiserver.log"), "utf8").slice(-2000));
      return (await ask("/readyz", { headers }).catch(() => undefined))?.ok === true;
    });
    const { gitVersion: version } = (await send("GET", "/version")) as { readonly gitVersion: string };
    await addNode(send, (kubelet.address() as { port: number }).port);
    const forget = async (): Promise<void> => {
      const made = await send("POST", "/api/v1/namespaces", {
        kind: "Namespace",
        apiVersion: "v1",
        metadata: { name: "later" },
      });
      const { resourceVersion } = (made as { readonly metadata: { readonly resourceVersion: string } }).metadata;
      const body = JSON.stringify({ revision: resourceVersion, physical: true });
      const said = await fetch(`${etcdUrl}/v3/kv/compaction`, { method: "POST", body });
      if (!said.ok) throw new Error(await said.text());
    };
    return { url, authority, version, send, forget, [Symbol.asyncDispose]: end };
  } catch (thrown) {
    await end();
    throw thrown;
  }
}

/** What kube-apiserver asks a kubelet for the logs of a container: `/containerLogs/NAMESPACE/POD/CONTAINER?tailLines=2`. */
async function listenAsKubelet(cert: string, key: string): Promise<Server> {
  const server = createServer({ cert, key }, ({ url = "" }, response) => {
    const { pathname, searchParams } = new URL(url, "https://kubelet");
    if (!pathname.startsWith("/containerLogs/")) return void response.writeHead(404).end();
    const text = `${LOG_LINES.slice(-Number(searchParams.get("tailLines") ?? 1e9)).join("\n")}\n`;
    response.end(text.slice(0, Number(searchParams.get("limitBytes") ?? 1e9)));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  return server;
}

async function addNode(send: RealCluster["send"], port: number): Promise<void> {
  await send("POST", "/api/v1/nodes", { kind: "Node", apiVersion: "v1", metadata: { name: "node-1" } });
  const status = {
    addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
  await send("PATCH", "/api/v1/nodes/node-1/status", { status }, "application/merge-patch+json");
}

/** Ports that were free a moment ago. */
function freePorts(count: number): readonly number[] {
  const servers = Array.from({ length: count }, () =>
    Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() }),
  );
  const ports = servers.map(({ port }) => Number(port));
  for (const server of servers) void server.stop(true);
  return ports;
}
