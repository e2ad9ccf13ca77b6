/**
 * The powers that the host serves itself, each with the place of its code and the functions that a context has. A function
 * that runs in a worker is the job `context:POWER.FUNCTION`; `jobs/read/local-context.ts` has the code.
 */
import type { CommandsApi, DesktopApi, FilesApi, MemoryApi, ReviewsApi, SearchApi } from "./context.ts";
import { definePower, type OwnPower } from "./power.ts";

export const filesPower: OwnPower<"files", FilesApi> = definePower<"files", FilesApi>({
  name: "files",
  runsIn: "worker",
  calls: { read: {}, readMany: {}, stat: {}, hash: { long: "bulk" }, diff: {}, picture: {}, attach: {} },
});

export const searchPower: OwnPower<"search", SearchApi> = definePower<"search", SearchApi>({
  name: "search",
  runsIn: "worker",
  calls: {
    list: {},
    tree: { long: true },
    usage: { long: true },
    glob: { long: true },
    grep: { long: true },
    replacements: { long: true },
  },
});

/** Notes are files, read by the workers; a search first brings their index up to date. */
export const memoryPower: OwnPower<"memory", MemoryApi> = definePower<"memory", MemoryApi>({
  name: "memory",
  runsIn: "worker",
  calls: { read: {}, list: {}, search: { long: true } },
});

/** The launcher starts what the configuration declares. */
export const commandsPower: OwnPower<"commands", CommandsApi> = definePower<"commands", CommandsApi>({
  name: "commands",
  runsIn: "program",
  calls: { describe: {}, run: {}, start: {}, output: {}, list: {}, stop: {} },
});

/** The launcher hands paths to the desktop; without one the host does. */
export const desktopPower: OwnPower<"desktop", DesktopApi> = definePower<"desktop", DesktopApi>({
  name: "desktop",
  runsIn: "program",
  calls: { open: {}, reveal: {} },
});

/** The host looks for decisions of people in its state folder. */
export const reviewsPower: OwnPower<"reviews", ReviewsApi> = definePower<"reviews", ReviewsApi>({
  name: "reviews",
  runsIn: "host",
  calls: { wait: {} },
});
