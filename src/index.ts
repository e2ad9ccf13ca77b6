/**
 * The package root: everything that a program needs for tools and a host of its own.
 *
 * @example
 * import { builtinTools, defineLocalTool, runHost } from "ringfence";
 * await runHost({ roots: ["/srv/project"], tools: [...builtinTools, myTool] });
 */
export type * from "./calls/public.ts";
export { Failure, FAILURE_CODES, type FailureExtra, type Retry } from "./base/index.ts";
export { resolveConfig, type Config, type RawConfig, type StructuredSettings } from "./config/index.ts";
export {
  createRegistry,
  defineLocalTool,
  definePack,
  definePower,
  defineTool,
  type ActTool,
  type AnyLocalTool,
  type ChangeTool,
  type Credential,
  type DesktopApi,
  type FilesApi,
  type HostFacts,
  type HttpAnswer,
  type HttpApi,
  type HttpRequest,
  type LocalProposal as Proposal,
  type LocalTool,
  type LocalToolContext,
  type Pack,
  type PlainTool,
  type PackGiven,
  type PackNetwork,
  type PackPower,
  type Power,
  type PowerHandlers,
  type PowerJob,
  type PowerSchemas,
  type PoweredTool,
  type ReadContext,
  type ReadTool,
  type ExecuteContext,
  type Registry,
  type ToolDefinition,
  type SearchApi,
  type ShowContext,
  type Tool,
  type Tool as AnyTool,
  type ToolBase,
  type ToolDeclaration,
  type ToolResult,
} from "./contract/index.ts";
export { runHost, type RunHostOptions } from "./host/index.ts";
export {
  analyzeCommand,
  createHost,
  resolveWithinRoots,
  type Ask,
  type ByteStreams,
  type CommandAnalysis,
  type CommandSurroundings,
  type TransportConnection,
  type CreateHostOptions,
  type HostTools,
  type LocalHost,
  type MessageTransport,
  type PersonQuestion,
  type PersonAnswer,
  type ToolPolicy,
  type ToolsChanged,
} from "./library/index.ts";
export type { Guard, GuardAnswer, GuardedCall, GuardVerdict } from "./pipeline/index.ts";
export type { ShellPart, TouchedPath } from "./shell/index.ts";
export type { Effect, Target, Target as Access } from "./policy/index.ts";
export { builtinTools } from "./packs/index.ts";
export type { Change, ChangeSet } from "./txn/index.ts";
