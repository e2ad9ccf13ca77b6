/**
 * The credentials of clusters in the order of a broker, read from their kubeconfigs when the broker is started. Key material goes
 * from the file to the launcher and on to the broker; neither the host nor a tool ever has it.
 *
 * Invariant: a kubeconfig, and each file that it names, lies where no tool can read it. A plug-in that a kubeconfig names is a
 * program and is never run; a declared command may be run in its place.
 */
import { readFileSync, statSync } from "node:fs";
import { sep } from "node:path";
import { Failure, realPathOf } from "../../base/index.ts";
import type { BrokerOrder, ClusterAccess, Credential } from "../../reach/index.ts";
import type { HelperOrder } from "../launcher-protocol.ts";
import type { PlanWorld } from "../plan/plan-program.ts";
import { readExecCredential } from "./exec-credential.ts";
import { readKubeconfig, refusalsOf, type ClusterCredential } from "./read-kubeconfig.ts";

/** Runs a declared command and gives what it wrote. */
export type RunDeclared = (name: string) => Promise<string>;

const MAX_FILE_BYTES: number = 1024 * 1024;

/**
 * A cluster whose kubeconfig cannot be used takes no other pack down: its requests alone fail, with the reason.
 * @param order of any helper; without clusters it stays what it is
 */
export async function fillClusters(
  order: HelperOrder | undefined,
  world: Pick<PlanWorld, "roots" | "trust">,
  run: RunDeclared,
): Promise<HelperOrder | undefined> {
  const { packs } = (order?.settings ?? {}) as Partial<BrokerOrder>;
  if (!order || !packs) return order;
  const filled: [string, unknown][] = [];
  for (const [name, pack] of Object.entries(packs)) {
    const credentials = await Promise.all(
      Object.entries(pack.credentials ?? {}).map(
        async ([alias, credential]) => [alias, await fillOne(credential, world, run)] as const,
      ),
    );
    filled.push([name, { ...pack, credentials: Object.fromEntries(credentials) }]);
  }
  return { ...order, settings: { ...(order.settings as BrokerOrder), packs: Object.fromEntries(filled) } };
}

async function fillOne(
  { cluster, ...credential }: Credential,
  world: Pick<PlanWorld, "roots" | "trust">,
  run: RunDeclared,
): Promise<Credential> {
  if (!cluster) return credential;
  try {
    return { ...credential, ...(await credentialOf(cluster, world, run)) };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    const { message, hint } = thrown.data;
    return { ...credential, unusable: { message, hint } };
  }
}

async function credentialOf(
  access: ClusterAccess,
  { roots, trust }: Pick<PlanWorld, "roots" | "trust">,
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
