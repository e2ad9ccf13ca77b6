/**
 * Newline-delimited JSON-RPC 2.0 over bytes: bytes become frames (`createFrames`, `readFrames`), frames become messages
 * (`parseMessage`), answers become lines (`resultLine` and the like) and lines leave through one writer
 * (`createWriter`). Nothing here knows MCP, tools or files.
 */
export { errorLine, notificationLine, requestLine, resultLine } from "./message.ts";
export { createFrames, type Frame, type FrameOptions, type Frames } from "./frames.ts";
export {
  isRequestId,
  parseMessage,
  RPC,
  RpcError,
  type Malformed,
  type Message,
  type Notification,
  type Request,
  type RequestId,
  type Response,
} from "./message.ts";
export { openReaderCheck, whenReaderGone } from "./reader.ts";
export { readFrames, type FrameHandlers } from "./reader.ts";
export { stdoutSink } from "./writer.ts";
export { createWriter, type LineSink, type Writer, type WriterOptions } from "./writer.ts";
