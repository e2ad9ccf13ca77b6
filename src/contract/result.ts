/**
 * What a tool answers, and that answer as the members of an MCP result in JSON text: the worker makes it once, without
 * the secrets that it would show, and the main thread only puts it into its envelope. The text is what the model reads
 * and is the last text block; the note about it is the first. The structured form is complete by itself, because many
 * clients show it instead of the text. Raw bytes cannot be answered in part, so bytes with a secret in them are
 * refused.
 */
import { Failure } from "../base/index.ts";
import { redactData, type Redact } from "../text/index.ts";
import type { ResultCounts } from "../calls/index.ts";

/**
 * What a tool answers. The text is what the model reads, and the note about it stands first. The structured form is
 * complete by itself, because many clients show it instead of the text.
 */
export interface ToolResult {
  readonly text: string;
  /** About the text: what it is of, what was cut, the next call. A block of its own before it, so that `text` stays exact. */
  readonly note?: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly images?: readonly { readonly mime: string; readonly data: string }[];
  /** Content blocks that lead to more: `resource_link`. */
  readonly links?: readonly Readonly<Record<string, unknown>>[];
  /** What is kept to be linked, by its id: a `resource_link` each. */
  readonly kept?: readonly KeptContent[];
  /** Something was left out; the text and the structured form say what, and how to go on. */
  readonly truncated?: boolean;
  /** The text of which `text` is a part: it is kept, and linked in the answer. */
  readonly whole?: string;
  /** A call that the answer goes on with, decided by itself; its own answer stands behind this one. */
  readonly goesOn?: {
    readonly tool: string;
    readonly input: Readonly<Record<string, unknown>>;
    /** Where the content came from: a person who is asked about the call sees it. */
    readonly from?: string;
  };
  /** Secrets that the tool has replaced itself, before it cut the text. */
  readonly secrets?: number;
  /** The answer is a secret that is made for the caller, so nothing in it is replaced. */
  readonly isForCaller?: true;
  /** What applying the stored call answers in place of the text and the structured form. */
  readonly value?: unknown;
  /** Files whose whole content hash is now known to the caller. */
  readonly read?: readonly {
    readonly path: string;
    readonly hash: string;
    /** First, last, and how many there are; absent: all of it was shown. */
    readonly lines?: readonly [first: number, last: number, total: number];
    readonly isUnchanged?: boolean;
  }[];
}

/** Content that is too large for an answer, or of a kind that is none. */
export interface KeptContent {
  readonly id: string;
  readonly name: string;
  readonly mime: string;
  readonly size: number;
  /** As MCP has them: for whom it is. */
  readonly annotations?: Readonly<Record<string, unknown>>;
}

/**
 * `"content":[...]`, without the braces around it. The note stands first: a client that cuts a long answer keeps its
 * beginning. The text is the last text.
 */
export function resultMembers(
  given: ToolResult,
  results: "text" | "structured",
  redact?: (text: string) => { readonly text: string; readonly count: number },
): string {
  const result = redact ? redactResult(given, redact, results === "structured") : given;
  const content: unknown[] = result.note ? [{ type: "text", text: result.note }] : [];
  content.push({ type: "text", text: result.text });
  for (const { mime, data } of result.images ?? []) content.push({ type: "image", data, mimeType: mime });
  content.push(...(result.links ?? []));
  const members = `"content":${JSON.stringify(content)}`;
  return results === "structured" ? `${members},"structuredContent":${JSON.stringify(result.structured)}` : members;
}

/** Counts as members of the structured form of an answer, where every tool has them under the same names. */
export function countsOf(matched: number, returned: number, isPartial: boolean | undefined): ResultCounts {
  return { matched: Math.max(matched, returned), returned, ...(isPartial ? { at_least: true } : {}) };
}

/** What the host wants to know of what was read. */
export interface ReadFacts {
  readonly truncated: boolean;
  readonly matches?: number;
  readonly counts?: ResultCounts;
  readonly read: readonly {
    readonly path: string;
    readonly hash: string;
    readonly lines?: readonly [first: number, last: number, total: number];
    readonly isUnchanged?: boolean;
  }[];
}

/** What the host wants to know of a result without parsing it; "" when there is nothing. */
export function resultFacts(result: ToolResult): string {
  const matches = countMatches(result.structured);
  const { matched, returned, at_least } = result.structured as Partial<ResultCounts>;
  const isCounted = matched !== undefined && returned !== undefined;
  if (!result.truncated && !result.read?.length && matches === undefined && !isCounted) return "";
  return JSON.stringify({
    truncated: result.truncated ?? false,
    read: result.read ?? [],
    ...(matches === undefined ? {} : { matches }),
    ...(isCounted ? { counts: { matched, returned, at_least } } : {}),
  });
}

/** What a search answered, in whatever form: lines, paths, or a number for each file. */
function countMatches({ matches, paths, counts }: ToolResult["structured"]): number | undefined {
  const lists = [matches, paths, counts].filter((list) => Array.isArray(list));
  return lists.length === 0 ? undefined : lists.reduce((sum, list) => sum + list.length, 0);
}

/** @throws Failure `denied` for base64 of what holds a secret */
export function redactResult(result: ToolResult, redact: Redact, withStructured: boolean): ToolResult {
  if (result.structured["kind"] === "base64") return refuseSecretBytes(result, redact);
  const text = redact(result.text);
  const note = redact(result.note ?? "");
  const structured = withStructured ? redactData(result.structured, redact) : { json: "", count: 0 };
  const count = Math.max(text.count + note.count, structured.count) + (result.secrets ?? 0);
  if (count === 0) return result;
  const said = saySecrets(count);
  return {
    ...result,
    text: text.text,
    note: note.text === "" ? said : `${note.text}\n${said}`,
    structured:
      structured.count === 0 && result.secrets === undefined
        ? result.structured
        : {
            ...(structured.count === 0 ? result.structured : (JSON.parse(structured.json) as Record<string, unknown>)),
            secrets: count,
          },
  };
}

export function saySecrets(count: number): string {
  return `[${count === 1 ? "1 secret is" : `${count} secrets are`} replaced by a placeholder; what it stands for cannot be read or written]`;
}

function refuseSecretBytes(result: ToolResult, redact: Redact): ToolResult {
  const bytes = Buffer.from(String(result.structured["data"]), "base64").toString("latin1");
  if (redact(bytes).count === 0) return result;
  throw new Failure("denied", "Cannot give the bytes: they hold a secret", {
    hint: "Read it as text: secrets are replaced by placeholders there.",
  });
}
