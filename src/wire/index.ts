/**
 * Newline-delimited JSON-RPC 2.0 over bytes: bytes become frames (`createFrames`, `readFrames`), frames become messages
 * (`parseMessage`), answers become lines (`resultLine` and the like) and lines leave through one writer (`Writer`). Nothing
 * here knows MCP, tools or files. It may import `calls`, `base` and `sys`.
 */
export { createFrames, type Frame, type FrameOptions, type Frames } from "./frames.ts";
export {
  errorLine,
  invalidParams,
  isRequestId,
  notificationLine,
  parseMessage,
  requestLine,
  resultLine,
  RPC,
  RpcError,
  type Malformed,
  type Message,
  type Notification,
  type Request,
  type RequestId,
  type Response,
} from "./message.ts";
export {
  openReaderCheck,
  readFrames,
  stdoutSink,
  whenReaderGone,
  Writer,
  type FrameHandlers,
  type LineSink,
} from "./streams.ts";
