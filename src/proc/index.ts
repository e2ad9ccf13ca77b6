/**
 * Starting other programs: the desktop's openers, the hooks and commands that the configuration declares, and this program
 * once more for work that must be killable. A launcher outside the host's fence starts commands, with a narrower fence
 * around each of them.
 */
export { runHookHere } from "./run-hook-here.ts";
export { createLaunch, type AskOptions, type Launch } from "./ask-launcher.ts";
export { ControlGroups } from "./control-group.ts";
export { buildArguments } from "./build-arguments.ts";
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
export type { DescribedOutput } from "./describe-output.ts";
export { matchesPin } from "./find-program.ts";
export { endAllFrom } from "./end-all-from.ts";
export { findPrograms } from "./find-programs.ts";
export { findOpeners } from "./find-openers.ts";
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
export { FIRST_APART_FD, runApart, type ApartProgram } from "./run-apart.ts";
export { serveLauncher } from "./serve-launcher.ts";
export { startLauncher, type LauncherStart } from "./start-launcher.ts";
export type { TrackedChanges, TrackedFile } from "./track-changes.ts";
export {
  RELAY_MARK,
  refusedAddress,
  type RelayOrder,
  type UpstreamDeclaration,
  type UpstreamsConfig,
} from "./upstream-declaration.ts";
