/**
 * What a person approved of a space, beside what it has now. A tool is there when exactly this tool was approved; one that has
 * changed in a word, in its command or in a byte of its scripts waits until somebody has looked again.
 */
import { isoTime, nowMs, sha256 } from "../base/index.ts";
import type { UpstreamStore } from "../state/index.ts";
import { compareTools, hashTools, openUpstreamStore, type ListedTool, type ToolChanges } from "../upstream/index.ts";
import { count } from "../text/index.ts";
import type { Space } from "./read-space.ts";

/** @param stateDir the state folder, opened before */
export function openSpaceStore(stateDir: string): UpstreamStore {
  return openUpstreamStore(stateDir);
}

export interface SpaceReview extends ToolChanges {
  readonly approved: readonly ListedTool[];
  /** Names what the space has now. */
  readonly hash: string;
}

export function reviewSpace(store: UpstreamStore, space: Space): SpaceReview {
  const approved = (store.tools(keyOf(space), "approved")?.tools ?? []) as readonly ListedTool[];
  const now = space.tools.map(({ reviewed }) => reviewed);
  return { ...compareTools(approved, now), approved, hash: hashTools(now) };
}

export function approveSpace(store: UpstreamStore, space: Space): void {
  const tools = space.tools.map(({ reviewed }) => reviewed);
  store.keepTools(keyOf(space), "approved", { hash: hashTools(tools), at: isoTime(nowMs()), tools });
}

/** No server has such a name. */
function keyOf({ folder }: Space): string {
  return `space.${sha256(folder).slice(0, 32)}`;
}

/** One space for people. */
export interface SpaceView {
  readonly id: string;
  readonly folder: string;
  /** How many of its tools are offered. */
  readonly offered: number;
  /** Tools that wait for a person. */
  readonly waiting: readonly string[];
  readonly problems: readonly string[];
  readonly loaded: boolean;
}

export function viewSpace(store: UpstreamStore, space: Space, loaded = true): SpaceView {
  const { same, changed, added } = reviewSpace(store, space);
  const { id, folder, problems } = space;
  return { id, folder, offered: loaded ? same.length : 0, waiting: [...changed, ...added], problems, loaded };
}

/** The view in one line. @param command by which a person looks */
export function describeSpace({ id, folder, offered, waiting, problems, loaded }: SpaceView, command: string): string {
  const parts = [
    `${count(offered, "tool")} offered`,
    ...(loaded ? [] : ["unloaded"]),
    ...(waiting.length > 0
      ? [`${waiting.slice(0, 20).join(", ")} ${waiting.length === 1 ? "waits" : "wait"} for a person: \`${command}\``]
      : []),
    ...problems.slice(0, 10),
  ];
  return `space ${id === "" ? "(left out)" : id} (${folder}): ${parts.join("; ")}`;
}
