/**
 * Starting other programs: the desktop's openers, the hooks and commands that the configuration declares, other MCP servers,
 * and this program once more for work that must be killable. A launcher outside the host's fence starts them, with a
 * narrower fence around each.
 *
 * Read in this order; nothing imports a later room: `declaration.ts` (what the operator said) and `launcher-protocol.ts` (what
 * host and launcher say to each other); `tree/` (which processes belong to a command, and their end); `plan/` (from a request
 * to a program that can be started); `run/` (a program from its start to its end); `launcher/` (both ends of the launcher).
 * It may import `base`, `sys`, `text`, `pattern`, `scope`, `approval`, `fence` and `state`.
 */
export { createLaunch, type AskOptions, type Launch } from "./launcher/ask-launcher.ts";
export { ControlGroups } from "./tree/control-group.ts";
export { buildArguments } from "./plan/build-arguments.ts";
export type {
  CommandDeclaration,
  CommandDeclarations,
  CommandInput,
  CommandLimits,
  HookPrograms,
  ParameterDeclaration,
  ParameterDeclarations,
  ShellSettings,
} from "./declaration.ts";
export type { DescribedOutput } from "./launcher-protocol.ts";
export { matchesPin } from "./plan/find-program.ts";
export { endAllFrom } from "./tree/processes.ts";
export { findPrograms } from "./plan/find-program.ts";
export { findOpeners } from "./open-desktop.ts";
export type {
  CommandsConfig,
  CommandsView,
  LauncherCalls,
  LauncherConfig,
  OutputQuery,
  ProcessAnswer,
  ProcessState,
  ReadyWhen,
  RunAnswer,
  RunDescription,
  RunRequest,
  UpstreamEnd,
} from "./launcher-protocol.ts";
export { desktopCommand, showOnDesktop } from "./open-desktop.ts";
export { FIRST_APART_FD, runApart, runHookHere, type ApartProgram } from "./run-apart.ts";
export { serveLauncher } from "./launcher/serve-launcher.ts";
export { startLauncher, type LauncherStart } from "./launcher/ask-launcher.ts";
export type { TrackedChanges, TrackedFile } from "./launcher-protocol.ts";
export {
  RELAY_MARK,
  refusedAddress,
  type RelayOrder,
  type UpstreamDeclaration,
  type UpstreamsConfig,
} from "./declaration.ts";
