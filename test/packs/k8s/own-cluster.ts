/**
 * A server that speaks the API of a cluster as kube-apiserver does, over TLS with an authority of its own: users by token or by a
 * client's certificate, Status objects, pages with tokens that expire, logs with their limits. `on` puts another answer in the
 * place of one, for what no honest cluster says.
 */
import { createServer, type Server } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { TLSSocket } from "node:tls";
import { createAuthority, type OwnAuthority } from "../../reach/own-authority.ts";
import { DISCOVERY } from "./discovery.ts";
import { deploymentList, podList, type RecordedList } from "./recorded-answers.ts";
import { otherList } from "./recorded-others.ts";
import type { RecordedItem } from "./recorded-pod.ts";
import { statusOf } from "./recorded-statuses.ts";

export interface OwnCluster extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly authority: OwnAuthority;
  readonly client: { readonly cert: string; readonly key: string };
  /** What was asked, with the user that it was asked as. */
  readonly heard: { readonly user: string; readonly url: URL; readonly headers: IncomingMessage["headers"] }[];
  /** Answers a path in the place of the cluster; `undefined` leaves it to the cluster. */
  on: ((url: URL, response: ServerResponse) => boolean) | undefined;
}

export const TOKEN = "a-token-of-the-tests-0123456789";
/** A token of a user that may do nothing. */
export const WEAK_TOKEN = "a-weak-token-of-the-tests-9876";
const USERS: Readonly<Record<string, string>> = { [`Bearer ${TOKEN}`]: "robot", [`Bearer ${WEAK_TOKEN}`]: "nobody" };

export const LOG_LINES: readonly string[] = Array.from({ length: 1000 }, (_, at) => `line ${at + 1} of the log`);

export async function openCluster(): Promise<OwnCluster> {
  const authority = createAuthority();
  const { cert, key } = authority.issue("IP:127.0.0.1", "DNS:localhost");
  const client = authority.issue("DNS:client");
  const heard: OwnCluster["heard"] = [];
  const server: Server = createServer({ cert, key, ca: authority.ca, requestCert: true, rejectUnauthorized: false });
  const cluster: OwnCluster = {
    authority,
    client,
    heard,
    on: undefined,
    get url() {
      return `https://127.0.0.1:${this.port}`;
    },
    get port() {
      const address = server.address();
      return typeof address === "object" && address ? address.port : 0;
    },
    async [Symbol.asyncDispose]() {
      authority[Symbol.dispose]();
      server.closeAllConnections();
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      await promise;
    },
  };
  server.on("request", (request, response) => {
    const url = new URL(request.url ?? "/", cluster.url);
    const user = userOf(request);
    heard.push({ user, url, headers: request.headers });
    if (cluster.on?.(url, response) === true) return;
    const asTable = (request.headers.accept ?? "").includes("as=Table");
    answer({ url, user, asTable }, response);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  return cluster;
}

/** A certificate counts before a token. */
function userOf({ headers, socket }: IncomingMessage): string {
  const { authorized } = socket as TLSSocket;
  if (authorized) return "certificate";
  return USERS[headers.authorization ?? ""] ?? "system:anonymous";
}

export function say(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): true {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "string" ? "text/plain" : "application/json";
  response.writeHead(status, { "content-type": type, ...headers }).end(text);
  return true;
}

interface Asked {
  readonly url: URL;
  readonly user: string;
  /** As kubectl asks, so that the cluster says which columns a kind has. */
  readonly asTable: boolean;
}

function answer({ url, user, asTable }: Asked, response: ServerResponse): void {
  const list = (whole: RecordedList): void => sayList({ url, whole, asTable }, response);
  if (user === "system:anonymous") return void say(response, 401, statusOf(401));
  const kinds = DISCOVERY[url.pathname];
  if (kinds !== undefined) return void say(response, 200, kinds);
  const [, namespace, rest = ""] =
    /^\/(?:api\/v1|apis\/apps\/v1)(?:\/namespaces\/([^/]+))?\/(.+)$/.exec(url.pathname) ?? [];
  if (user === "nobody")
    return void say(response, 403, statusOf(403, { user, resource: rest.split("/")[0], namespace }));
  if (rest === "pods") return list(podList(namespace));
  if (rest === "deployments") return list(deploymentList(namespace));
  if (rest === "events" || rest === "services") return list(otherList(rest, namespace));
  const [, pod] = /^pods\/([^/]+)\/log$/.exec(rest) ?? [];
  if (pod !== undefined) return logs(url, pod, response);
  const found = podList(namespace).items.find(({ metadata }) => rest === `pods/${metadata.name}`);
  if (found) return void say(response, 200, { kind: "Pod", apiVersion: "v1", ...found });
  say(response, 404, statusOf(404));
}

interface Listed extends Pick<Asked, "url" | "asTable"> {
  readonly whole: RecordedList;
}

/** Pages as etcd's: the token says where to go on, and is of a revision that is forgotten some day. */
function sayList({ url, whole, asTable }: Listed, response: ServerResponse): void {
  const limit = Number(url.searchParams.get("limit") ?? Infinity);
  const token = url.searchParams.get("continue");
  const from = token === null ? 0 : startOf(token);
  if (from === undefined) return void say(response, 410, statusOf(410));
  const labels = url.searchParams.get("labelSelector");
  const items = labels === null ? whole.items : whole.items.filter((one) => hasLabel(one.metadata.labels, labels));
  const page = items.slice(from, from + limit);
  const left = items.length - from - page.length;
  const more = left > 0 ? { continue: tokenFor(from + page.length), remainingItemCount: left } : {};
  const metadata = { ...whole.metadata, ...more };
  say(response, 200, asTable ? tableOf(page, metadata) : { ...whole, metadata, items: page });
}

/** The first of the columns that kube-apiserver has for a kind. */
function tableOf(items: readonly RecordedItem[], metadata: object): object {
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata,
    columnDefinitions: [{ name: "Name", type: "string", format: "name", description: "The name.", priority: 0 }],
    rows: items.map((one) => ({
      cells: [one.metadata.name],
      object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: one.metadata },
    })),
  };
}

function hasLabel(labels: object = {}, selector: string): boolean {
  return Object.entries(labels).some(([name, value]) => `${name}=${value}` === selector);
}

function tokenFor(start: number): string {
  return Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", rv: 1234, start: `${start}\u0000` })).toString("base64url");
}

function startOf(token: string): number | undefined {
  const { rv, start } = JSON.parse(Buffer.from(token, "base64url").toString()) as { rv: number; start: string };
  return rv === 1234 ? Number.parseInt(start, 10) : undefined;
}

function logs({ searchParams }: URL, pod: string, response: ServerResponse): void {
  if (pod === "missing") return void say(response, 404, statusOf(404, { pod }));
  if (pod === "two" && !searchParams.has("container")) return void say(response, 400, statusOf(400, { pod }));
  const previous = searchParams.get("previous") === "true" ? ["before the restart"] : LOG_LINES;
  const tail = Number(searchParams.get("tailLines") ?? Infinity);
  const text = `${previous.slice(-tail).join("\n")}\n`;
  say(response, 200, text.slice(0, Number(searchParams.get("limitBytes") ?? Infinity)));
}
