/**
 * Who of a host reaches a network, for people and models that wonder why something cannot be fetched. The host itself opens no
 * socket; what can are the programs, servers and packs that the configuration lets.
 */
import type { Config } from "../../config/index.ts";

export interface Reaching {
  /** `command NAME`, `shell`, `the hook of TOOL`, `server NAME`, `pack NAME`. */
  readonly who: string;
  /** In the words of the configuration. */
  readonly network: string;
}

/** Everything else reaches nothing. */
export function reachOf(
  { commands, shell, hooks, upstreams }: Config,
  packs: readonly { readonly pack: string; readonly reach: readonly string[] }[],
): readonly Reaching[] {
  const servers = Object.entries(upstreams?.servers ?? {});
  return [
    ...Object.entries(commands).map(([name, { network }]) => ({ who: `command ${name}`, network })),
    ...(shell ? [{ who: "shell", network: shell.network }] : []),
    ...hooks.map(({ tool, network }) => ({ who: `the hook of ${tool}`, network })),
    ...servers.map(([name, { url, network }]) => ({
      who: `server ${name}`,
      network: url === undefined ? network : hostOf(url),
    })),
    ...packs.map(({ pack, reach }) => ({ who: `pack ${pack}`, network: { reach } })),
  ].flatMap(({ who, network }) => {
    const told = typeof network === "object" ? network.reach.join(", ") : (network ?? "none");
    return told === "none" || told === "" ? [] : [{ who, network: told }];
  });
}

/** Without what may be a secret in it. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "an address that is none";
}

export function describeReach(reach: readonly Reaching[]): string[] {
  if (reach.length === 0) return ["reach: nothing of this host reaches a network"];
  return reach.map(({ who, network }) => `reach: ${who}: ${network}`);
}
