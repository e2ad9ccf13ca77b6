/**
 * `ringfence spaces`: the spaces of the configuration, what is wrong with one, what their tools would run, and a person's yes to
 * it. What was shown is what is approved: a yes names the hash of it.
 */
import { Failure } from "../../base/index.ts";
import { hostFlags, type Config, type RawConfig } from "../../config/index.ts";
import {
  approveSpace,
  findSpaces,
  openSpaceStore,
  reviewSpace,
  viewSpace,
  type Space,
  type SpaceReview,
} from "../../spaces/index.ts";
import { openStateFolder, type UpstreamStore } from "../../state/index.ts";
import { count, terminalCommand, unifiedDiff } from "../../text/index.ts";
import { showTool } from "../../upstream/index.ts";
import {
  configFlags,
  EXIT,
  HOST_FLAGS,
  LIST_FLAGS,
  UsageError,
  type CliCommand,
  type ExitCode,
  type TypedArguments,
} from "../command.ts";
import { configWithRoots, openRootlessHost } from "../open-host.ts";
import { print, printDiffs, printRows, printText, tryEach } from "../print.ts";

/** More than all that one tool can say, so that what is approved was shown whole. */
const MAX_DIFF_BYTES: number = 1024 * 1024;

/** What this command works with. */
interface Looked {
  readonly raw: RawConfig;
  readonly config: Config;
  readonly store: UpstreamStore;
  readonly spaces: readonly Space[];
}

export const spacesCommand: CliCommand = {
  about: "List spaces of Construct, review and approve their tools.",
  takes: "[list | review [ID ...] | approve ID@HASH ...]",
  most: Infinity,
  flags: { ...HOST_FLAGS, ...LIST_FLAGS, approve: { about: "With review: approve what it shows." } },
  examples: [
    "ringfence spaces",
    "ringfence spaces review",
    "ringfence spaces review my-space --approve",
    "ringfence spaces approve my-space@1f2e3d4c5b6a7988",
  ],
  async run(typed) {
    const [action = "list", ...ids] = typed.positionals;
    const raw = configFlags(typed);
    const config = await configWithRoots(raw);
    openStateFolder(config.stateDir);
    const spaces = await findSpaces(config.spaces, config.roots);
    const looked = { raw, config, store: openSpaceStore(config.stateDir), spaces };
    switch (action) {
      case "list":
        return list(looked, typed);
      case "review":
        return await review(looked, ids, typed.has("approve"));
      case "approve":
        return await approve(looked, ids);
      default:
        throw new UsageError(`spaces takes list, review or approve, not ${JSON.stringify(action)}`);
    }
  },
};

function list({ spaces, store }: Looked, typed: TypedArguments): ExitCode {
  const views = spaces.map((space) => viewSpace(store, space));
  printRows(views, {
    json: typed.has("json"),
    isWide: typed.has("wide"),
    none: "The configuration names no spaces.",
    heads: ["ID", "OFFERED", "WAITING", "FOLDER", "PROBLEMS"],
    rowOf: ({ id, offered, waiting, folder, problems }) => [
      id === "" ? "-" : id,
      String(offered),
      waiting.join(", ") || "-",
      folder,
      problems.join("; ") || "-",
    ],
  });
  return EXIT.ok;
}

async function review(looked: Looked, ids: readonly string[], isApproved: boolean): Promise<ExitCode> {
  const { spaces, store } = looked;
  for (const { id, folder, problems } of spaces)
    for (const problem of problems) if (ids.length === 0 || ids.includes(id)) printText(`${folder}: ${problem}`);
  return await tryEach(idsOf(looked, ids), async (id) => {
    const space = find(looked, id);
    const found = reviewSpace(store, space);
    showReview(looked, space, found);
    if (!isWaiting(found)) return EXIT.ok;
    if (!isApproved) return EXIT.failed;
    await keepApproved(looked, space, found);
    return EXIT.ok;
  });
}

function isWaiting({ changed, added, gone }: SpaceReview): boolean {
  return changed.length + added.length + gone.length > 0;
}

function showReview({ config }: Looked, { id, tools }: Space, found: SpaceReview): void {
  const { approved, changed, added, gone, same, hash } = found;
  print(
    `${id}: ${count(same.length, "tool")} as approved, ${changed.length} changed, ${added.length} new, ${gone.length} gone`,
  );
  const now = tools.map(({ reviewed }) => reviewed);
  for (const tool of [...changed, ...added, ...gone]) {
    const [before = "", after = ""] = [approved, now].map((some) => showTool(some.find(({ name }) => name === tool)));
    const { text } = unifiedDiff(before, after, {
      path: `${id}/${tool}`,
      maxBytes: MAX_DIFF_BYTES,
      missingBefore: added.includes(tool),
      missingAfter: gone.includes(tool),
    });
    printDiffs(text.trimEnd());
  }
  if (!isWaiting(found)) return;
  const words = ["spaces", "approve", `${id}@${hash.slice(0, 16)}`, ...hostFlags(config)];
  print(`To approve exactly this: ${terminalCommand(words, config.stateDir)}`);
}

async function approve(looked: Looked, given: readonly string[]): Promise<ExitCode> {
  if (given.length === 0) throw new UsageError("name what was shown: ringfence spaces approve ID@HASH");
  for (const one of given) {
    const [id = "", hash = ""] = one.split("@");
    idsOf(looked, [id]);
    const space = find(looked, id);
    const found = reviewSpace(looked.store, space);
    if (hash.length < 16 || !found.hash.startsWith(hash)) {
      const words = ["spaces", "review", id, ...hostFlags(looked.config)];
      throw new Failure("stale", `Cannot approve "${one}": that is not what the space "${id}" has now`, {
        hint: `Look at it with \`${terminalCommand(words, looked.config.stateDir)}\`.`,
      });
    }
    await keepApproved(looked, space, found);
  }
  return EXIT.ok;
}

/** Records the approval before it holds. */
async function keepApproved({ raw, store }: Looked, space: Space, { hash }: SpaceReview): Promise<void> {
  using host = await openRootlessHost(raw);
  host.audit.record("space_approved", { space: space.id, folder: space.folder, hash, tools: space.tools.length });
  host.audit.ensureWritten();
  approveSpace(store, space);
  print(`Approved: ${count(space.tools.length, "tool")} of ${space.id}. Hosts offer them from now on.`);
}

/** All that there are when none is named. @throws UsageError */
function idsOf({ spaces }: Looked, ids: readonly string[]): readonly string[] {
  const known = spaces.flatMap(({ id }) => (id === "" ? [] : [id]));
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return ids.length === 0 ? known : ids;
  throw new UsageError(`there is no space ${JSON.stringify(unknown)}; there are ${known.join(", ") || "none"}`);
}

function find({ spaces }: Looked, wanted: string): Space {
  const space = spaces.find(({ id }) => id === wanted);
  if (!space) throw new UsageError(`there is no space ${JSON.stringify(wanted)}`);
  return space;
}
