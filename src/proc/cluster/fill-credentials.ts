/**
 * The values and credentials in the order of a helper, filled in when it is started: variables, files, and the kubeconfigs of
 * clusters. Key material goes from there to the launcher and on to the broker; neither the host nor a tool ever has it.
 *
 * Invariant: a kubeconfig, and each file that it names, lies where no tool can read it. A plug-in that a kubeconfig names is a
 * program and is never run; a declared command may be run in its place.
 */
import { readFileSync, statSync } from "node:fs";
import { sep } from "node:path";
import { Failure, realPathOf } from "../../base/index.ts";
import type { BrokerOrder, ClusterAccess, Credential } from "../../reach/index.ts";
import type { HelperOrder } from "../launcher-protocol.ts";
import { fillOrder } from "../plan/fill-order.ts";
import type { PlanWorld } from "../plan/plan-program.ts";
import { readExecCredential } from "./exec-credential.ts";
import { readKubeconfig, refusalsOf, type ClusterCredential } from "./read-kubeconfig.ts";

/** Runs a declared command and gives what it wrote. */
export type RunDeclared = (name: string) => Promise<string>;

const MAX_FILE_BYTES: number = 1024 * 1024;

type World = Pick<PlanWorld, "roots" | "trust" | "environment">;

/**
 * A credential that cannot be had takes no other pack down: the requests that need it alone fail, with the reason.
 * @param order of any helper
 * @throws Failure as `fillOrder`, for what is no credential
 */
export async function fillHelperOrder(
  order: HelperOrder | undefined,
  world: World,
  run: RunDeclared,
): Promise<HelperOrder | undefined> {
  if (!order) return undefined;
  const { packs, ...others } = order.settings as Partial<BrokerOrder>;
  const settings = fillOrder(others, world) as object;
  if (!packs) return { ...order, settings };
  const filled: [string, unknown][] = [];
  for (const [name, { credentials = {}, ...pack }] of Object.entries(packs)) {
    const place = ["packs", name];
    const own = await Promise.all(
      Object.entries(credentials).map(
        async ([alias, credential]) => [alias, await fillOne(credential, place, world, run)] as const,
      ),
    );
    filled.push([name, { ...(fillOrder(pack, world, place) as object), credentials: Object.fromEntries(own) }]);
  }
  return { ...order, settings: { ...settings, packs: Object.fromEntries(filled) } };
}

async function fillOne(
  given: Credential,
  place: readonly string[],
  world: World,
  run: RunDeclared,
): Promise<Credential> {
  try {
    const { cluster, ...credential } = fillOrder(given, world, place) as Credential;
    return { ...credential, ...(cluster ? await credentialOf(cluster, world, run) : {}) };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    const { hosts, overHttp, isAlways } = given;
    const { message, hint } = thrown.data;
    return { hosts, overHttp, isAlways, unusable: { message, hint } };
  }
}

async function credentialOf(
  access: ClusterAccess,
  { roots, trust }: World,
  run: RunDeclared,
): Promise<ClusterCredential> {
  const refused = refusalsOf(access);
  const read = (path: string): string => {
    const isInRoot = roots.some((root) => isBelow(realPathOf(path), realPathOf(root.path)));
    const named = path === access.kubeconfig ? "it" : `the file ${path}, which it names,`;
    if (isInRoot || !trust.isTrusted(path))
      throw refused(`${named} lies where tools can read or write`, "Move it to a folder outside of every root.");
    try {
      if (statSync(path).size <= MAX_FILE_BYTES) return readFileSync(path, "utf8");
    } catch {
      throw refused(`${named} cannot be read`);
    }
    throw refused(`${named} is too large`);
  };
  const { plugIn, headers, tls } = readKubeconfig(read(access.kubeconfig), access, read);
  if (plugIn === undefined) return { headers, tls };
  if (access.exec === undefined)
    throw refused(
      `its user has the exec plug-in ${JSON.stringify(plugIn)}, and a program that a kubeconfig names is not run`,
      `Declare it under commands, and name that command under packs.k8s.contexts.${access.name}.exec.`,
    );
  const said = readExecCredential(await run(access.exec), access);
  return { headers: { ...headers, ...said.headers }, tls: { ...tls, ...said.tls } };
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}
