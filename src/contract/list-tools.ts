/**
 * Tools as clients see them, in the order in which they were registered, page by page. A client that is told of a change
 * begins with the first page again.
 */
import { EFFECTS } from "../policy/index.ts";
import type { Tool } from "./tool.ts";
import { inputSchemaOf, outputSchemaOf } from "./wire-schema.ts";

const PAGE_SIZE = 100;
const PROPOSED_NOTE = "The change is proposed first and made when it is approved.";

export interface ToolPage {
  readonly tools: readonly Readonly<Record<string, unknown>>[];
  readonly nextCursor?: string;
}

/** `undefined` for a cursor that this server never gave. */
export function listTools(tools: readonly Tool[], cursor: unknown, options: ToolListOptions): ToolPage | undefined {
  return pageTools(tools, cursor, (tool) => describeTool(tool, options));
}

/** As `listTools`, for tools that are described in another way. */
export function pageTools<T>(
  tools: readonly T[],
  cursor: unknown,
  describe: (tool: T) => Readonly<Record<string, unknown>>,
): ToolPage | undefined {
  const start = cursor === undefined ? 0 : readCursor(cursor, tools.length);
  if (start === undefined) return undefined;
  const page = tools.slice(start, start + PAGE_SIZE).map(describe);
  const next = start + PAGE_SIZE;
  return next < tools.length ? { tools: page, nextCursor: `tools-${next}` } : { tools: page };
}

export interface ToolListOptions {
  /** Results come in the structured form too. */
  readonly structured: boolean;
  /** The host was started to do everything at once, and a client need not ask its person either. */
  readonly showsAtOnce: boolean;
  /** The address of the view in which the client shows what a change would do. Default: it shows none. */
  readonly view?: string | undefined;
  /** Which tools are off; default none: an operation that is one of them is not listed. */
  readonly isOff?: ((tool: Pick<Tool, "name" | "aliases" | "effect">) => boolean) | undefined;
}

/**
 * Keys that clients of Anthropic read: the longest result that they keep whole, what a person confirms each time, and what
 * a model gets without searching for it.
 */
const MAX_RESULT_KEY = "anthropic/maxResultSizeChars";
const LOAD_KEY = "anthropic/alwaysLoad";
const CONFIRM_KEY = "anthropic/requiresUserInteraction";
/** The most that they allow; below it the tools bound themselves. */
const MAX_RESULT_CHARS = 500_000;

export function describeTool(
  tool: Tool,
  { structured, showsAtOnce, view, isOff }: ToolListOptions,
): Record<string, unknown> {
  const { name, title, output, effect } = tool;
  const { summary, input } = (isOff && tool.offering?.(isOff)) || tool;
  return {
    name,
    title,
    description: tool.preview && EFFECTS[effect].hasDiff ? `${summary} ${PROPOSED_NOTE}` : summary,
    inputSchema: inputSchemaOf({ name, input }),
    ...(structured && output ? { outputSchema: outputSchemaOf(output) } : {}),
    annotations: { title, ...annotationsOf(tool) },
    _meta: {
      [MAX_RESULT_KEY]: MAX_RESULT_CHARS,
      ...(tool.core ? { [LOAD_KEY]: true } : {}),
      ...(EFFECTS[effect].isOnScreen && !showsAtOnce ? { [CONFIRM_KEY]: true } : {}),
      ...(EFFECTS[effect].hasDiff && view !== undefined ? { ui: { resourceUri: view } } : {}),
    },
  };
}

/** The host's own words: what the owner of a remote tool hints about it is not passed on. */
function annotationsOf({
  effect,
  destructive = false,
  idempotent = false,
  sends = false,
  owner,
}: Tool): Record<string, boolean> {
  return {
    readOnlyHint: EFFECTS[effect].onlyReads,
    destructiveHint: destructive,
    idempotentHint: idempotent,
    openWorldHint: EFFECTS[effect].isOpenWorld || sends || owner !== undefined,
  };
}

function readCursor(cursor: unknown, length: number): number | undefined {
  const match = typeof cursor === "string" ? /^tools-(\d{1,6})$/.exec(cursor) : null;
  const start = match ? Number(match[1]) : undefined;
  return start !== undefined && start > 0 && start < length && start % PAGE_SIZE === 0 ? start : undefined;
}
