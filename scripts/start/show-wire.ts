/**
 * One message of the wire as lines for a person: the direction, the method and what matters in it. Never wider than
 * MAX_COLUMNS, whatever is in the message; control characters are shown, not sent to the terminal.
 */
export const MAX_COLUMNS = 118;
/** Lines of one answer's text; a demonstration is not a pager. */
const MAX_TEXT_LINES = 24;
const INDENT = "     ";

export interface Answer {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface Style {
  /** ANSI colours; only on a terminal. */
  readonly colors: boolean;
}

/** `→ tools/call read_file {"path":"a.txt"}` */
export function showRequest(method: string, params: Readonly<Record<string, unknown>>, { colors }: Style): string {
  const isCall = method === "tools/call";
  const head = isCall ? `${method} ${String(params["name"])}` : method;
  const rest = isCall ? params["arguments"] : params;
  const shown = rest === undefined || Object.keys(rest as object).length === 0 ? "" : JSON.stringify(rest);
  return paint(fit(`→ ${head} ${shown}`), "36", colors);
}

/** `← tools/call, 1.2 ms` and below it what a client would show, indented. */
export function showAnswer(method: string, answer: Answer, ms: number, { colors }: Style): string {
  const head = paint(fit(`← ${method}, ${ms.toFixed(1)} ms`), answer.error ? "31" : "32", colors);
  const lines = bodyOf(method, answer).flatMap((text) => text.replace(/\n$/, "").split("\n").flatMap(fold));
  const cut = lines.length > MAX_TEXT_LINES ? [`(${lines.length - MAX_TEXT_LINES} more lines)`] : [];
  const body = [...lines.slice(0, MAX_TEXT_LINES), ...cut].map((line) => fit(`${INDENT}${line}`));
  return [head, ...body].join("\n");
}

/** A long line on several, broken at spaces where there are some. */
function fold(line: string): string[] {
  return Bun.wrapAnsi(line, MAX_COLUMNS - INDENT.length, { hard: true, trim: false }).split("\n");
}

/** Cut to the width of the demonstration. */
export function fit(line: string): string {
  // Tabs would be wider than they count; everything else below the space does not belong on a terminal.
  const plain = line
    .replaceAll("\t", "  ")
    .replaceAll(/[\u0000-\u001f\u007f]/g, "?")
    .trimEnd();
  if (Bun.stringWidth(plain) <= MAX_COLUMNS) return plain;
  let kept = plain.slice(0, MAX_COLUMNS - 1);
  while (Bun.stringWidth(kept) > MAX_COLUMNS - 1) kept = kept.slice(0, -1);
  return `${kept}…`;
}

function bodyOf(method: string, { result, error }: Answer): string[] {
  if (error) return [`error ${error.code}: ${error.message}`];
  if (method === "initialize") return [describeServer(result)];
  if (method === "tools/list") return [wrap(((result?.["tools"] ?? []) as { name: string }[]).map(({ name }) => name))];
  if (method === "tools/call") return textsOf(result);
  return [JSON.stringify(result)];
}

function describeServer(result: Answer["result"]): string {
  const { name = "?", version = "?" } = (result?.["serverInfo"] ?? {}) as { name?: string; version?: string };
  return `${name} ${version}, MCP ${String(result?.["protocolVersion"])}`;
}

/** The text blocks of a tool's result: what the model reads. */
export function textsOf(result: Answer["result"]): string[] {
  const content = (result?.["content"] ?? []) as { text?: string; mimeType?: string }[];
  return content.map(({ text, mimeType }) => text ?? `(${mimeType})`);
}

function wrap(words: readonly string[]): string {
  const lines = [""];
  for (const word of words) {
    const last = lines.at(-1) ?? "";
    if (last.length + word.length > 90) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last}  ${word}`;
  }
  return `${words.length} tools\n${lines.join("\n")}`;
}

function paint(text: string, code: string, colors: boolean): string {
  return colors ? `\u001b[${code}m${text}\u001b[0m` : text;
}
