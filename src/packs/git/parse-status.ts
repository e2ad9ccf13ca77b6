/**
 * `git status --porcelain=v2 --branch -z` as data. Every entry ends with a NUL, and a name stands as it is.
 */

export interface StatusEntry {
  /** `staged`: the index differs from HEAD. `unstaged`: the file differs from the index. */
  readonly staged: string;
  readonly unstaged: string;
  readonly kind: "changed" | "renamed" | "conflict" | "untracked";
  /** Below the work tree, as bytes. */
  readonly path: string;
  readonly from?: string;
  readonly submodule?: boolean;
}

export interface Status {
  /** Absent before the first commit. */
  readonly commit?: string;
  /** Absent where HEAD is detached. */
  readonly branch?: string;
  readonly upstream?: string;
  readonly ahead?: number;
  readonly behind?: number;
  readonly stashes: number;
  readonly entries: readonly StatusEntry[];
}

export function parseStatus(text: string): Status {
  const parts = text.split("\0");
  const heads: Record<string, string> = {};
  const entries: StatusEntry[] = [];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? "";
    const head = /^# (\S+) (.*)$/s.exec(part);
    if (head) heads[head[1] ?? ""] = head[2] ?? "";
    const entry = head ? undefined : entryOf(part, parts[at + 1]);
    if (entry?.kind === "renamed") at++;
    if (entry) entries.push(entry);
  }
  const { "branch.oid": commit, "branch.head": branch, "branch.upstream": upstream } = heads;
  const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(heads["branch.ab"] ?? "") ?? [];
  return {
    ...(commit === undefined || commit === "(initial)" ? {} : { commit }),
    ...(branch === undefined || branch === "(detached)" ? {} : { branch }),
    ...(upstream === undefined ? {} : { upstream }),
    ...(ahead === undefined ? {} : { ahead: Number(ahead), behind: Number(behind) }),
    stashes: Number(heads["stash"] ?? 0),
    entries,
  };
}

const WORDS: Readonly<Record<string, string>> = {
  ".": "",
  M: "modified",
  A: "added",
  D: "deleted",
  R: "renamed",
  C: "copied",
  T: "type changed",
};

function entryOf(part: string, next: string | undefined): StatusEntry | undefined {
  if (part.startsWith("? ")) return { staged: "", unstaged: "", kind: "untracked", path: part.slice(2) };
  const [type = "", xy = "", sub = ""] = part.split(" ", 3);
  const fields = { "1": 8, "2": 9, u: 10 }[type];
  if (fields === undefined) return undefined;
  const path = part.split(" ").slice(fields).join(" ");
  const submodule = sub.startsWith("S") ? { submodule: true } : {};
  if (type === "u") return { staged: "", unstaged: "", kind: "conflict", path, ...submodule };
  const [staged, unstaged] = [WORDS[xy[0] ?? "."] ?? "", WORDS[xy[1] ?? "."] ?? ""];
  if (type === "1") return { staged, unstaged, kind: "changed", path, ...submodule };
  return { staged, unstaged, kind: "renamed", path, from: next ?? "", ...submodule };
}
