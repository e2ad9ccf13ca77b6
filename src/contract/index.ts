/**
 * What a tool is, what it may use, and how its arguments are read: the public contract for built-in tools and for those
 * of a consumer's own program.
 */
export { compileExpression, type Expression } from "../pattern/index.ts";
export type { Target } from "../policy/index.ts";
export type {
  CommandDeclaration,
  CommandDeclarations,
  ParameterDeclaration,
  ProcessAnswer,
  ProcessState,
  RunAnswer,
  RunRequest,
  TrackedFile,
} from "../proc/index.ts";
export type {
  CommandsApi,
  DesktopApi,
  FilesApi,
  HostFacts,
  ReadContext,
  RunContext,
  SearchApi,
  ShowContext,
} from "./context.ts";
export { checkRemoteArguments } from "./remote/remote-arguments.ts";
export { remoteMembers, readRemoteResult } from "./remote/remote-result.ts";
export { readableText, showUnseen, unseenIn } from "./remote/remote-text.ts";
export {
  defineRemoteTool,
  remoteWords,
  type RemoteContext,
  type RemoteTool,
  type RemoteToolGiven,
} from "./remote/remote-tool.ts";
export {
  defineLocalTool,
  type AnyLocalTool,
  type LocalProposal,
  type LocalTool,
  type LocalToolContext,
} from "./local-tool.ts";
export { describeTool, listTools, pageTools, type ToolListOptions } from "./list-tools.ts";
export { argumentsFailure } from "./argument-problem.ts";
export { parseArguments, tryArguments, type Parsable, type ParsedArguments } from "./parse-arguments.ts";
export { createRegistry, isRemoteTool, isLocalTool, type AnyTool, type Registry } from "./registry.ts";
export { resultFacts, resultMembers, type ReadFacts } from "./result.ts";
export type { ToolResult } from "./result.ts";
export {
  defineTool,
  type ActTool,
  type ChangePart,
  type ChangeTool,
  type ReadTool,
  type RunTool,
  type StartOfProgram,
  type Tool,
  type ToolBase,
} from "./tool.ts";
export { inputSchemaOf, outputSchemaOf, type JsonSchema } from "./wire-schema.ts";
