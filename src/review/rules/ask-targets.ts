/**
 * What an ask of the record would have touched, as the targets that rules are matched against. A target whose name cannot be read
 * back is left as a path outside of every root, which no pattern matches.
 */
import { EFFECTS, type PlacedTarget, type TargetMode, type TargetPlace, type ToolFacts } from "../../policy/index.ts";
import type { RecordedAsk } from "./recorded-asks.ts";

/** None: the call as a whole. */
export function targetsOfAsk({ tool, paths, line, names, roots }: RecordedAsk, facts: ToolFacts): PlacedTarget[] {
  const command = line === undefined ? [] : [{ kind: "command" as const, line }];
  // Of a whole line the paths are read by the shell, and no rule is matched against the folder that it runs in.
  if (tool === "shell" || (tool === "process_start" && line !== undefined)) return command;
  const mode: TargetMode = EFFECTS[facts.effect].onlyReads ? "read" : "write";
  const places = paths.map((path) => ({ path, mode, ...placeIn(roots, path) }));
  return [...places, ...command, ...names.map((name) => targetOf(name, facts))];
}

/** @param path absolute */
export function placeIn(roots: readonly string[], path: string): TargetPlace {
  const holding = roots.filter((root) => path === root || path.startsWith(withSlash(root)));
  const root = holding.reduce<string | undefined>((a, b) => (a && a.length >= b.length ? a : b), undefined);
  return root === undefined ? {} : { rel: path.slice(withSlash(root).length), absolute: path, root };
}

function withSlash(root: string): string {
  return root.endsWith("/") ? root : `${root}/`;
}

const NOWHERE: PlacedTarget = { path: "", mode: "write" };

/** Reads what `namesOf` of the policy writes. */
function targetOf(name: string, { effect, group }: ToolFacts): PlacedTarget {
  if (EFFECTS[effect].startsPrograms) return { kind: "command", line: name };
  const [, method, url] = /^([A-Z]+) (https?:\/\/\S+)(?: \?sha256:[0-9a-f]+)?$/.exec(name) ?? [];
  if (method !== undefined && url !== undefined) return { kind: "url", url, method };
  const [, host, port] = /^([^\s/]+):(\d{1,5})$/.exec(name) ?? [];
  if (host !== undefined) return { kind: "host", host, port: Number(port) };
  const [, mode, first, rest] = /^(metadata|read|write|remove) ([^/]+)(?:\/([^]*))?$/.exec(name) ?? [];
  if (mode === undefined || first === undefined) return NOWHERE;
  if (group !== "objects" && group !== "k8s")
    return { kind: "record", store: first, mode: mode as TargetMode, ...(rest ? { key: rest } : {}) };
  const [bucket, ...key] = (rest ?? "").split("/");
  return {
    kind: "object",
    alias: first,
    ...(bucket ? { bucket } : {}),
    mode: mode as TargetMode,
    ...(key.length > 0 ? { key: key.join("/") } : {}),
  };
}
