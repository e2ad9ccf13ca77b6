/**
 * A placeholder stands for a secret that the caller has not seen. Written into a file it would destroy the secret, so a
 * change that would write one is refused, in whatever form it comes.
 */
import { Failure } from "../base/index.ts";
import { findPlaceholder } from "../policy/index.ts";
import type { ChangeSet } from "../txn/index.ts";

/** Members that are not written: they say where, or what is there already. */
const NOT_WRITTEN: ReadonlySet<string> = new Set(["path", "source", "destination", "ifHash", "oldText"]);

/** @throws Failure `denied` */
export function refusePlaceholders(set: ChangeSet): void {
  const found = findIn(set.changes);
  if (found === undefined) return;
  throw new Failure(
    "denied",
    `Cannot make the change: it would write ${found}, which only stands for a secret`,
    {
      hint: "Change the text around it with edit_file and leave the secret where it is.",
    },
  );
}

function findIn(value: unknown): string | undefined {
  if (typeof value === "string") return findPlaceholder(value);
  if (typeof value !== "object" || value === null) return undefined;
  const isBase64 = "encoding" in value && value.encoding === "base64";
  for (const [key, member] of Object.entries<unknown>(value as Record<string, unknown>)) {
    if (NOT_WRITTEN.has(key)) continue;
    const text =
      isBase64 && key === "content" ? Buffer.from(String(member), "base64").toString("latin1") : member;
    const found = findIn(text);
    if (found !== undefined) return found;
  }
  return undefined;
}
