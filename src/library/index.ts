/**
 * A host inside a program of one's own, without a transport or behind one of the program's. A folder of its own so that
 * `ringfence` itself, which never needs it, never loads it. It may import `calls`, `base`, `text`, `scope`, `wire`, `proc`, `shell`,
 * `contract`, `mcp`, `config`, `start` and `host`.
 */
export { analyzeCommand, type CommandAnalysis, type CommandSurroundings } from "./analyze-command.ts";
export { createHost, type CreateHostOptions, type LocalHost } from "./create-host.ts";
export type { ByteStreams, TransportConnection, MessageTransport } from "./connect-transport.ts";
export type { HostTools, ToolPolicy, ToolsChanged } from "./host-tools.ts";
export type { Ask, PersonQuestion, PersonAnswer } from "./person.ts";
export { resolveWithinRoots } from "./resolve-within-roots.ts";
