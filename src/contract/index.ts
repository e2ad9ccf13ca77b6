/**
 * What a tool, a power and a pack are, what a tool may use, and how its arguments are read: the public contract for
 * built-in tools and for those of a consumer's own program. It may import `calls`, `base`, `pictures`, `text`, `pattern`, `reach`,
 * `files`, `search`, `memory`, `proc`, `txn`, `policy` and `recorded`.
 */
export { compileExpression, type Expression } from "../pattern/index.ts";
export type { PictureWanted, ShownPicture } from "../pictures/index.ts";
export type { Target } from "../policy/index.ts";
export type {
  CommandDeclaration,
  CommandDeclarations,
  FilterDeclaration,
  FilterDeclarations,
  GitAnswer,
  GitFound,
  PackProgram,
  ParameterDeclaration,
  ParameterDeclarations,
  ProcessAnswer,
  ProcessState,
  RunAnswer,
  RunRequest,
  SpaceOrder,
  TrackedFile,
} from "../proc/index.ts";
export type {
  CallContext,
  CommandsApi,
  ContextOf,
  DesktopApi,
  FilesApi,
  FiltersApi,
  GitApi,
  HideSecrets,
  HostFacts,
  LocalProposal,
  LocalToolContext,
  MemoryApi,
  Powers,
  ProgramApi,
  ProgramEvents,
  ProgramLink,
  ReadContext,
  RemoteContext,
  ReviewNews,
  ReviewsApi,
  RunContext,
  SearchApi,
  SessionsApi,
  ShowContext,
} from "./context.ts";
export type { MemoryHits, MemorySettings, NoteRead } from "../memory/index.ts";
export { remoteMembers, readRemoteResult, type RemoteResult } from "./remote/remote-result.ts";
export { defineRemoteTool, remoteWords, type RemoteToolGiven } from "./remote/remote-tool.ts";
export { defineLocalTool, toTool, type AnyLocalTool, type LocalTool, type PlainTool } from "./local/local-tool.ts";
export { describeTool, listTools, pageTools, type ToolListOptions } from "./list-tools.ts";
export { argumentsFailure } from "./argument-problem.ts";
export type { Credential, HttpAnswer, HttpApi, HttpRequest, PackNetwork } from "../reach/index.ts";
export { commandsPower, desktopPower, filesPower, memoryPower, reviewsPower, searchPower } from "./own-powers.ts";
export {
  definePack,
  type ConfiguredPack,
  type Pack,
  type PackConfig,
  type PackGiven,
  type PackPlan,
  type PackSource,
  type PlannedPower,
  type SettingsByKey,
} from "./pack.ts";
export {
  definePower,
  isPackPower,
  type AnyPackPower,
  type OwnCall,
  type OwnPower,
  type PackPower,
  type Power,
  type PowerHandlers,
  type PowerJob,
  type PowerSchemas,
} from "./power.ts";
export { parseArguments, restoreArguments, tryArguments, type Parsable } from "./parse-arguments.ts";
export { canonicalName, snakeCase } from "./repair-arguments.ts";
export { createRegistry, type ExecuteContext, type Registry, type ToolDefinition } from "./registry.ts";
export { countsOf, resultFacts, resultMembers, type ReadFacts } from "./result.ts";
export type { ToolResult } from "./result.ts";
export {
  defineTool,
  type ActTool,
  type ChangePart,
  type ChangeTool,
  type PoweredChangeTool,
  type PoweredTool,
  type ReadTool,
  type RunTool,
  type StartOfProgram,
  type Tool,
  type ToolBase,
  type ToolDeclaration,
} from "./tool.ts";
export {
  checkInput,
  inputSchemaOf,
  outputSchemaOf,
  parametersOf,
  type JsonSchema,
  type ParsedArguments,
} from "./wire-schema.ts";
