/**
 * What a tool of somebody else answered, as this host answers it: texts as they are, images within limits, everything that
 * leads elsewhere (links, embedded resources, sound) reduced to text that says what it was. Its `_meta` and annotations go.
 *
 * Usual mistake: to pass a block on because it looks like one. What is not understood is counted and left out.
 */
import { Failure, isObject, limits } from "../../base/index.ts";
import { type Redact, count, formatBytes, readableText, redactData } from "../../text/index.ts";
import { saySecrets } from "../result.ts";

type Members = Readonly<Record<string, unknown>>;

export interface RemoteResult {
  readonly content: readonly Members[];
  readonly structured: Members | undefined;
  readonly isError: boolean;
}

const MAX_BLOCKS = 500;
const MAX_IMAGES = 4;
const MAX_URI_BYTES = 500;
const IMAGE_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** @throws Failure `command_failed` for what is no result at all */
export function readRemoteResult(answer: unknown, tool: string): RemoteResult {
  const { content, structuredContent, isError } = isObject(answer) ? answer : ({} as Members);
  const structured = isObject(structuredContent) ? structuredContent : undefined;
  if (!Array.isArray(content) && !structured)
    throw new Failure("command_failed", `Cannot use the answer of "${tool}": it is not the result of a tool`, {
      hint: "Tell the person: its server does not keep to MCP.",
    });
  const given: readonly unknown[] = Array.isArray(content) ? content : [];
  const reading = { images: 0, unknown: Math.max(0, given.length - MAX_BLOCKS) };
  const blocks = given.slice(0, MAX_BLOCKS).flatMap((block) => readBlock(block, reading));
  if (reading.unknown > 0)
    blocks.push(
      textBlock(`[${count(reading.unknown, "part")} of the answer ${reading.unknown === 1 ? "is" : "are"} left out]`),
    );
  // Without text there would be nothing for a model to read.
  if (blocks.length === 0) blocks.push(textBlock(structured ? JSON.stringify(structured) : "[the answer is empty]"));
  return { content: blocks, structured, isError: isError === true };
}

/** `"content":[...]`, without the braces around it, as `resultMembers` makes it. */
export function remoteMembers(
  { content, structured, isError }: RemoteResult,
  results: "text" | "structured",
  redact: Redact | undefined,
): string {
  let replaced = 0;
  const clean = (text: string): string => {
    const made = redact?.(text);
    replaced += made?.count ?? 0;
    return made?.text ?? text;
  };
  const blocks = content.map((block) =>
    typeof block["text"] === "string" ? { ...block, text: clean(block["text"]) } : block,
  );
  const cleanData = (data: unknown): string => {
    const made = redact ? redactData(data, redact) : { json: JSON.stringify(data), count: 0 };
    replaced += made.count;
    return made.json;
  };
  const members = results === "structured" && structured ? `,"structuredContent":${cleanData(structured)}` : "";
  if (replaced > 0) blocks.unshift(textBlock(saySecrets(replaced)));
  return `"content":${JSON.stringify(blocks)}${members}${isError ? ',"isError":true' : ""}`;
}

function readBlock(block: unknown, reading: { images: number; unknown: number }): Members[] {
  if (!isObject(block)) return leftOut(reading);
  switch (block["type"]) {
    case "text":
      return typeof block["text"] === "string" ? [textBlock(block["text"].toWellFormed())] : leftOut(reading);
    case "image":
      return [readImage(block, reading)];
    case "audio":
      return [textBlock(`[${describeData("sound", block["mimeType"], block["data"])}: left out]`)];
    case "resource_link":
      return [textBlock(`[link to ${describeLink(block)}]`)];
    case "resource":
      return isObject(block["resource"]) ? [readResource(block["resource"])] : leftOut(reading);
    default:
      return leftOut(reading);
  }
}

function leftOut(reading: { unknown: number }): Members[] {
  reading.unknown++;
  return [];
}

function readImage({ data, mimeType }: Members, reading: { images: number }): Members {
  const what = describeData("image", mimeType, data);
  if (typeof data !== "string" || typeof mimeType !== "string" || !IMAGE_TYPES.has(mimeType))
    return textBlock(`[${what}: left out]`);
  if (bytesOf(data) > limits.MAX_IMAGE_BYTES || reading.images >= MAX_IMAGES)
    return textBlock(`[${what}: left out, at most ${MAX_IMAGES} of ${formatBytes(limits.MAX_IMAGE_BYTES)} are shown]`);
  // A client that cannot decode it may give up the whole answer.
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data)) return textBlock(`[${what}: left out, it is no base64]`);
  reading.images++;
  return { type: "image", data, mimeType };
}

function readResource(resource: Members): Members {
  const { uri, text, blob, mimeType } = resource;
  const at = readableText(uri, MAX_URI_BYTES) || "no address";
  return typeof text === "string"
    ? textBlock(`[resource ${at}]\n${text.toWellFormed()}`)
    : textBlock(`[resource ${at}, ${describeData("data", mimeType, blob)}: left out]`);
}

function describeLink({ uri, name, description }: Members): string {
  const about = [name, description].map((text) => readableText(text, 300)).filter((text) => text !== "");
  return [readableText(uri, MAX_URI_BYTES) || "no address", ...about].join(", ");
}

function describeData(what: string, type: unknown, data: unknown): string {
  const size = typeof data === "string" ? `, ${formatBytes(bytesOf(data))}` : "";
  return `${what} ${readableText(type, 100) || "of no type"}${size}`;
}

/** The number of bytes that base64 text stands for. */
function bytesOf(data: string): number {
  return Math.floor((data.length * 3) / 4);
}

function textBlock(text: string): Members {
  return { type: "text", text };
}
