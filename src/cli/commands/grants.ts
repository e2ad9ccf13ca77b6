/**
 * `ringfence grants`: lists, adds and revokes what a person has allowed for good, besides the configuration.
 */
import type { Host } from "../../host/index.ts";
import type { Grant } from "../../calls/index.ts";
import { configFlags, EXIT, HOST_FLAGS, LIST_FLAGS, UsageError, type CliCommand } from "../command.ts";
import { askHost, openGrantHost, openRootlessHost, wholeId } from "../open-host.ts";
import { print, printRows, shownAge, tryEach } from "../print.ts";

export const grantsCommand: CliCommand = {
  about: "List, add or revoke what was allowed for good.",
  takes: "[list | add RULE | revoke ID]",
  most: Infinity,
  flags: { ...HOST_FLAGS, ...LIST_FLAGS },
  examples: [
    "ringfence grants",
    "ringfence grants add 'write_file(notes/**)' --root .",
    "ringfence grants revoke g_...",
  ],
  async run(typed) {
    const [action = "list", ...given] = typed.positionals;
    const json = typed.has("json");
    if ((action === "add" || action === "revoke") && given.length > 0) {
      using host = await (action === "add" ? openGrantHost : openRootlessHost)(configFlags(typed));
      return await tryEach(given, async (one) => void print(await change(host, action, one, json)));
    }
    if (action !== "list" || given.length > 0) throw new UsageError("grants takes list, add RULE or revoke ID");
    using host = await openRootlessHost(configFlags(typed));
    printRows(await grantsOf(host), {
      json,
      isWide: typed.has("wide"),
      none: `Nothing was granted in ${host.config.stateDir}.`,
      heads: ["ID", "SINCE", "RULE", "ROOTS"],
      rowOf: ({ id, at, rule, roots }) => [id, shownAge(at), rule, roots.join(", ")],
    });
    return EXIT.ok;
  },
};

/** @returns what is printed of it */
async function change(host: Host, action: "add" | "revoke", given: string, json: boolean): Promise<string> {
  if (action === "add") {
    const answer = await askHost(host, "ringfence/grants/add", { rule: given, remember: true });
    const { id, rule, roots } = answer.grant;
    if (json) return JSON.stringify(answer);
    return `Granted: ${rule} (${id}), to hosts with exactly these roots: ${roots.join(", ")}`;
  }
  const id = await wholeId(given, async () =>
    (await grantsOf(host)).map((known) => ({ id: known.id, what: known.rule })),
  );
  const answer = await askHost(host, "ringfence/grants/revoke", { id });
  return json ? JSON.stringify(answer) : `Revoked: ${id}`;
}

async function grantsOf(host: Host): Promise<readonly Grant[]> {
  return (await askHost(host, "ringfence/grants/list", {})).grants;
}
