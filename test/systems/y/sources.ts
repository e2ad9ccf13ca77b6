/**
 * What the page "Tools API Documentation" of Flynn says of its tools for files and programs, parameter by parameter: its
 * type, its choices, and which are required. `process.output` and `process.list` stand in its policy and not on the page.
 */
interface Documented {
  readonly properties: Readonly<Record<string, { readonly type: string; readonly enum?: readonly string[] }>>;
  readonly required: readonly string[];
}

const TEXT = { type: "string" };
const NUMBER = { type: "number" };

/** Every tool that the page names, in its order. */
export const FLYNN_PAGE: readonly string[] = (
  "file.read file.write file.edit file.list shell.exec process.start process.status process.kill web.fetch web.search " +
  "browser.navigate browser.screenshot memory.read memory.write memory.search minio.share minio.ingest minio.sync k8s.pods " +
  "k8s.deployments k8s.logs media.send image.analyze audio.transcribe system.info sessions.list sessions.delete"
).split(" ");

/** The parameters whose type is `number`, of which it has no whole ones. */
export const FLYNN_NUMBERS: Readonly<Record<string, readonly string[]>> = {
  "shell.exec": ["timeout"],
  "process.status": ["pid"],
  "process.kill": ["pid"],
  "web.fetch": ["timeout"],
  "web.search": ["limit"],
  "memory.search": ["limit"],
  "minio.ingest": ["max_chars"],
  "minio.sync": ["max_objects", "max_chars_per_object"],
  "k8s.logs": ["lines"],
};

/** The tools for media. Beside the data a path is taken here, so neither is required by the schema. */
export const FLYNN_MEDIA: Readonly<Record<string, Documented["properties"]>> = {
  "media.send": { data: TEXT, mimeType: TEXT, filename: TEXT },
  "image.analyze": {
    data: TEXT,
    mimeType: { type: "string", enum: ["image/jpeg", "image/png", "image/gif", "image/webp"] },
    prompt: TEXT,
  },
  "audio.transcribe": {
    data: TEXT,
    mimeType: { type: "string", enum: ["audio/ogg", "audio/wav", "audio/mpeg", "audio/webm"] },
  },
};

export const FLYNN_TOOLS: Readonly<Record<string, Documented>> = {
  "file.read": {
    properties: { path: TEXT, encoding: { type: "string", enum: ["utf8", "base64"] } },
    required: ["path"],
  },
  "file.write": { properties: { path: TEXT, content: TEXT }, required: ["path", "content"] },
  "file.edit": { properties: { path: TEXT, search: TEXT, replace: TEXT }, required: ["path", "search", "replace"] },
  "file.list": { properties: { path: TEXT, recursive: { type: "boolean" } }, required: [] },
  "shell.exec": { properties: { command: TEXT, cwd: TEXT, timeout: NUMBER }, required: ["command"] },
  "process.start": { properties: { command: TEXT, args: { type: "array" }, cwd: TEXT }, required: ["command"] },
  "process.status": { properties: { pid: NUMBER }, required: ["pid"] },
  "process.kill": {
    properties: { pid: NUMBER, signal: { type: "string", enum: ["SIGTERM", "SIGKILL"] } },
    required: ["pid"],
  },
};
