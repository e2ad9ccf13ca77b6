/**
 * `ringfence grants`: lists, adds and revokes what a person has allowed for good, besides the configuration.
 */
import type { Host } from "../../host/index.ts";
import type { Grant } from "../../calls/index.ts";
import { loadConfig } from "../../config/index.ts";
import { checkGrantable } from "../check-grantable.ts";
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
    const raw = configFlags(typed);
    if (action === "add" && given.length > 0) {
      const { config } = await loadConfig(raw, {}, false);
      using host = await openGrantHost(raw);
      return await tryEach(given, async (one) => {
        await checkGrantable(one, config);
        print(await add(host, one, json));
      });
    }
    if (action === "revoke" && given.length > 0) {
      using host = await openRootlessHost(raw);
      return await tryEach(given, async (one) => void print(await revoke(host, one, json)));
    }
    if (action !== "list" || given.length > 0) throw new UsageError("grants takes list, add RULE or revoke ID");
    using host = await openRootlessHost(raw);
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
async function add(host: Host, rule: string, json: boolean): Promise<string> {
  const answer = await askHost(host, "ringfence/grants/add", { rule, remember: true });
  const { id, rule: granted, roots } = answer.grant;
  if (json) return JSON.stringify(answer);
  return `Granted: ${granted} (${id}), to hosts with exactly these roots: ${roots.join(", ")}`;
}

/** @returns what is printed of it */
async function revoke(host: Host, given: string, json: boolean): Promise<string> {
  const id = await wholeId(given, async () =>
    (await grantsOf(host)).map((known) => ({ id: known.id, what: known.rule })),
  );
  const answer = await askHost(host, "ringfence/grants/revoke", { id });
  return json ? JSON.stringify(answer) : `Revoked: ${id}`;
}

async function grantsOf(host: Host): Promise<readonly Grant[]> {
  return (await askHost(host, "ringfence/grants/list", {})).grants;
}
