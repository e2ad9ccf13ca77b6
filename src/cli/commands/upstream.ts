/**
 * `ringfence upstream`: the other MCP servers of the configuration, what they say about their tools, and a person's yes to
 * it. What was shown is what is approved: a yes names the hash of it.
 */
import { Failure, isoTime, nowMs } from "../../base/index.ts";
import { hostFlags, loadConfig, type Config, type RawConfig } from "../../config/index.ts";
import type { Host } from "../../host/index.ts";
import { openStateFolder, type UpstreamStore } from "../../state/index.ts";
import { count, terminalCommand, unifiedDiff } from "../../text/index.ts";
import { openUpstreamStore, reviewOf, showTool, viewServer, type Review } from "../../upstream/index.ts";
import {
  COMMAND_DEFAULTS,
  configFlags,
  EXIT,
  HOST_FLAGS,
  LIST_FLAGS,
  UsageError,
  type CliCommand,
  type ExitCode,
  type TypedArguments,
} from "../command.ts";
import { openRootlessHost, openUpstreamHost } from "../open-host.ts";
import { print, printDiffs, printRows, printText, tryEach } from "../print.ts";

/** More than all that one tool can say, so that what is approved was shown whole. */
const MAX_DIFF_BYTES: number = 1024 * 1024;

export const upstreamCommand: CliCommand = {
  about: "List other MCP servers, review and approve their tools.",
  takes: "[list | review [NAME ...] | approve NAME@HASH ...]",
  most: Infinity,
  flags: { ...HOST_FLAGS, ...LIST_FLAGS, approve: { about: "With review: approve what it shows." } },
  examples: [
    "ringfence upstream",
    "ringfence upstream review",
    "ringfence upstream review git --approve",
    "ringfence upstream approve git@1f2e3d4c5b6a7988",
  ],
  async run(typed) {
    const [action = "list", ...names] = typed.positionals;
    const raw = configFlags(typed);
    const { config } = await loadConfig(raw, COMMAND_DEFAULTS, false);
    openStateFolder(config.stateDir);
    const store = openUpstreamStore(config.stateDir, hostFlags(config));
    switch (action) {
      case "list":
        return list(config, store, typed);
      case "review":
        return await review(raw, namesOf(config, names), store, typed.has("approve"));
      case "approve":
        return await approve(raw, config, store, names);
      default:
        throw new UsageError(`upstream takes list, review or approve, not ${JSON.stringify(action)}`);
    }
  },
};

function list({ upstreams }: Config, store: UpstreamStore, typed: TypedArguments): ExitCode {
  const views = Object.entries(upstreams?.servers ?? {}).map(([name, declared]) => viewServer(store, name, declared));
  printRows(views, {
    json: typed.has("json"),
    isWide: typed.has("wide"),
    none: "The configuration names no other MCP servers.",
    heads: ["NAME", "OFFERED", "LAST", "TO DO"],
    rowOf: ({ name, offered, status, todo }) => [name, String(offered), status?.said ?? "-", todo ?? "-"],
  });
  return EXIT.ok;
}

/** Starts the servers in their fences, asks each for its tools, and ends it. */
async function review(
  raw: RawConfig,
  names: readonly string[],
  store: UpstreamStore,
  isApproved: boolean,
): Promise<ExitCode> {
  using host = await openUpstreamHost(raw);
  await host.registry();
  return await tryEach(names, async (name) => {
    await host.upstreams?.server(name).look();
    const found = reviewOf(store, name);
    showReview(host.config, name, found);
    if (!isWaiting(found)) return EXIT.ok;
    if (!isApproved) return EXIT.failed;
    keepApproved(host, store, name, found);
    return EXIT.ok;
  });
}

function isWaiting({ seen, todo }: Review): boolean {
  return seen !== undefined && todo !== undefined;
}

function showReview(config: Config, server: string, found: Review): void {
  const { approved, seen, changed, added, gone, same } = found;
  print(
    `${server}: ${count(same.length, "tool")} as approved, ${changed.length} changed, ${added.length} new, ${gone.length} gone`,
  );
  for (const problem of seen?.problems ?? []) printText(`  cannot be offered: ${problem}`);
  for (const tool of [...changed, ...added, ...gone]) {
    const [before, after] = [approved, seen?.tools ?? []].map((tools) =>
      showTool(tools.find(({ name }) => name === tool)),
    );
    if (before === after) {
      printText(`${server}/${tool}: changed only in what models do not get`);
      continue;
    }
    const { text } = unifiedDiff(before ?? "", after ?? "", {
      path: `${server}/${tool}`,
      maxBytes: MAX_DIFF_BYTES,
      missingBefore: added.includes(tool),
      missingAfter: gone.includes(tool),
    });
    printDiffs(text.trimEnd());
  }
  if (!isWaiting(found)) return;
  const words = ["upstream", "approve", `${server}@${seen?.hash.slice(0, 16)}`, ...hostFlags(config)];
  print(`To approve exactly this: ${terminalCommand(words, config.stateDir)}`);
}

async function approve(
  raw: RawConfig,
  config: Config,
  store: UpstreamStore,
  given: readonly string[],
): Promise<ExitCode> {
  if (given.length === 0) throw new UsageError("name what was shown: ringfence upstream approve NAME@HASH");
  using host = await openRootlessHost(raw);
  for (const one of given) {
    const [name = "", hash = ""] = one.split("@");
    namesOf(config, [name]);
    const found = reviewOf(store, name);
    if (hash.length < 16 || found.seen?.hash.startsWith(hash) !== true)
      throw new Failure("stale", `Cannot approve "${one}": that is not what "${name}" was last seen to have`, {
        hint: `Look at it with \`${store.reviewCommand(name)}\`.`,
      });
    keepApproved(host, store, name, found);
  }
  return EXIT.ok;
}

/** Records the approval before it holds. */
function keepApproved(host: Host, store: UpstreamStore, name: string, { seen }: Review): void {
  if (!seen) return;
  host.audit.record("upstream_approved", { server: name, hash: seen.hash, tools: seen.tools.length });
  host.audit.ensureWritten();
  store.keepTools(name, "approved", { hash: seen.hash, at: isoTime(nowMs()), tools: seen.tools });
  print(`Approved: ${count(seen.tools.length, "tool")} of ${name}. Hosts that are started from now on offer them.`);
}

/** All that there are when none is named. @throws UsageError */
function namesOf({ upstreams }: Config, names: readonly string[]): readonly string[] {
  const known = Object.keys(upstreams?.servers ?? {});
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names.length === 0 ? known : names;
  throw new UsageError(
    `there is no upstream ${JSON.stringify(unknown)} in the configuration; it names ${known.join(", ") || "none"}`,
  );
}
