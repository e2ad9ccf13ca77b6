/**
 * What this reviewer's configuration says and what a person has granted, to be read: the page changes none of it. A host may
 * have been started with more flags, and then with other rules; `ringfence explain` asks it.
 */
import type { Host } from "../../../host/index.ts";
import type { PolicyView } from "../../../page/index.ts";
import { escapeLine } from "../../../text/index.ts";
import { askHost } from "../../open-host.ts";

export async function viewPolicy(host: Host): Promise<PolicyView> {
  const { config } = host;
  const { grants } = await askHost(host, "ringfence/grants/list", {});
  const facts: readonly (readonly [string, unknown])[] = [
    ["Mode", config.mode],
    ["State folder", config.stateDir],
    ["Configuration files", config.configFiles.join(", ") || "none"],
    ["Denied paths", config.deny.join(", ") || "none besides secrets"],
    ["A call waits for a reviewer", `${Math.round(config.reviewWaitMs / 1000)} s`],
  ];
  return {
    facts: facts.map(([name, value]) => [name, escapeLine(String(value))]),
    rules: config.rules.map(({ allow, ask, deny, source = "" }) => ({
      action: deny === undefined ? (ask === undefined ? "allow" : "ask") : "deny",
      rule: escapeLine(deny ?? ask ?? allow ?? ""),
      source: escapeLine(source),
    })),
    grants: grants.map(({ rule, roots, at }) => ({ rule: escapeLine(rule), roots: escapeLine(roots.join(", ")), at })),
  };
}
