/**
 * The credential of one context of a kubeconfig: headers for requests, and what TLS needs. A kubeconfig can name programs, switch
 * certificates off and lead anywhere; whatever of that is not taken is refused, so that nothing is done with more rights, or
 * believed with less proof, than the file says.
 *
 * Usual mistake: to leave out what is not understood. A kubeconfig that says `as: viewer` means fewer rights than its token has.
 */
import { basename, dirname, resolve } from "node:path";
import { Failure, isObject } from "../../base/index.ts";
import type { ClusterAccess, Credential } from "../../reach/index.ts";

export type ClusterCredential = Pick<Credential, "headers" | "tls">;

/** @property plugIn the name of the program of an exec plug-in, which is not run */
export interface ReadContextOfCluster extends ClusterCredential {
  readonly plugIn?: string | undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** @param read a file that the kubeconfig names, by its absolute path @throws Failure `denied` that names the cluster and the reason */
export function readKubeconfig(
  text: string,
  access: ClusterAccess,
  read: (path: string) => string,
): ReadContextOfCluster {
  const refused = refusalsOf(access);
  const { cluster, user } = entriesOf(text, access, refused);
  checkCluster(cluster, access, refused);
  checkUser(user, refused);
  const file = (path: unknown): string | undefined =>
    typeof path === "string" && path !== "" ? read(resolve(dirname(access.kubeconfig), path)) : undefined;
  const ca = decoded(cluster["certificate-authority-data"]) ?? file(cluster["certificate-authority"]);
  const cert = decoded(user["client-certificate-data"]) ?? file(user["client-certificate"]);
  const key = decoded(user["client-key-data"]) ?? file(user["client-key"]);
  if ((cert === undefined) !== (key === undefined))
    throw refused("it has a client certificate or its key, and not both");
  const token = file(user["tokenFile"])?.trim() ?? textOf(user["token"]);
  const serverName = textOf(cluster["tls-server-name"]);
  const exec = user["exec"];
  return {
    headers: headersOf(user, token, refused),
    tls: pemsOnly({ ca, cert, key }, serverName, refused),
    ...(isObject(exec) ? { plugIn: plugInOf(exec) } : {}),
  };
}

function decoded(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? Buffer.from(value, "base64").toString("utf8") : undefined;
}

type Refused = (why: string, hint?: string) => Failure;

export function refusalsOf({ name, kubeconfig }: ClusterAccess): Refused {
  return (why, hint) =>
    new Failure("denied", `Cannot use the cluster "${name}" with "${kubeconfig}": ${why}`, {
      hint: hint ?? "Correct the kubeconfig, or packs.k8s of the configuration, and call again.",
    });
}

/** The cluster and the user of the context. */
function entriesOf(
  text: string,
  { context: wanted }: ClusterAccess,
  refused: Refused,
): { readonly cluster: Members; readonly user: Members } {
  const config = parsed(text);
  if (!config) throw refused("it is no YAML or JSON of a kubeconfig");
  const named = (list: string, member: string, name: unknown): Members => {
    const entries = config[list];
    const found = Array.isArray(entries) ? entries.filter((one) => isObject(one) && one["name"] === name) : [];
    const [first] = found as readonly Members[];
    const value = first?.[member];
    if (found.length === 1 && isObject(value)) return value;
    const what = `${member} ${JSON.stringify(String(name).slice(0, 200))}`;
    throw refused(found.length > 1 ? `it has the ${what} twice` : `it has no ${what}`);
  };
  const context = named("contexts", "context", wanted);
  const cluster = named("clusters", "cluster", context["cluster"]);
  return { cluster, user: context["user"] === undefined ? {} : named("users", "user", context["user"]) };
}

/** The runtime's own parser takes a millisecond, where the one for configurations takes fifteen. */
function parsed(text: string): Members | undefined {
  try {
    const value: unknown = Bun.YAML.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function checkCluster(cluster: Members, { server, context }: ClusterAccess, refused: Refused): void {
  const own = textOf(cluster["server"]) ?? "";
  if (withoutSlash(own) !== withoutSlash(server))
    throw refused(
      `its context ${JSON.stringify(context)} is for another server than packs.k8s names`,
      `packs.k8s names ${server}. Write the server of the kubeconfig there, if that is the cluster that is meant.`,
    );
  if (cluster["insecure-skip-tls-verify"] === true)
    throw refused(
      "it says insecure-skip-tls-verify, and a server that proves nothing is not spoken to",
      "Give the certificates of the cluster: certificate-authority or certificate-authority-data.",
    );
  if (cluster["proxy-url"] !== undefined)
    throw refused("it names a proxy", "The proxy of a company stands under network.proxy of the configuration.");
}

/** What a user has that would be left out otherwise. */
function checkUser(user: Members, refused: Refused): void {
  if (user["auth-provider"] !== undefined)
    throw refused(
      "its user has an auth-provider, which Kubernetes has given up for exec plug-ins",
      "Use a token, a client certificate, or an exec plug-in that is declared as a command.",
    );
  const other = ["as-groups", "as-uid", "as-user-extra"].find((name) => user[name] !== undefined);
  if (other !== undefined) throw refused(`its user has ${other}, which is not supported; "as" alone is`);
}

/** The name of its program alone: arguments and the environment may hold a secret, and what is said here is shown and recorded. */
function plugInOf(exec: Members): string {
  return basename(textOf(exec["command"]) ?? "without a command").slice(0, 100);
}

function headersOf(user: Members, token: string | undefined, refused: Refused): Record<string, string> {
  const [name, password, as] = ["username", "password", "as"].map((one) => textOf(user[one]));
  const basic = name !== undefined || password !== undefined ? `${name ?? ""}:${password ?? ""}` : undefined;
  const authorization =
    token === undefined
      ? basic && `Basic ${Buffer.from(basic, "utf8").toString("base64")}`
      : `Bearer ${headerText(token, "token", refused)}`;
  return {
    ...(authorization === undefined ? {} : { authorization }),
    ...(as === undefined ? {} : { "impersonate-user": headerText(as, "as", refused) }),
  };
}

export function headerText(value: string, what: string, refused: Refused): string {
  if (/^[\x21-\x7e]{1,16384}$/.test(value)) return value;
  throw refused(`its ${what} holds what no header can`);
}

interface Pems {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

function pemsOnly(pems: Pems, serverName: string | undefined, refused: Refused): Credential["tls"] {
  const given = Object.entries(pems).filter(([, value]) => value !== undefined);
  const bad = given.find(([, value]) => !/-----BEGIN [A-Z0-9 ]+-----/.test(String(value)));
  if (bad) throw refused(`its ${NAMES[bad[0]] ?? "certificate"} is no PEM`);
  if (given.length === 0 && serverName === undefined) return undefined;
  return { ...(Object.fromEntries(given) as Pems), ...(serverName === undefined ? {} : { serverName }) };
}

const NAMES: Readonly<Record<string, string>> = {
  ca: "certificate-authority",
  cert: "client-certificate",
  key: "client-key",
};

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function withoutSlash(server: string): string {
  return (URL.canParse(server) ? new URL(server).href : server).replace(/\/+$/, "");
}
