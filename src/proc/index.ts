/**
 * Starting other programs: the desktop's openers and the commands that the configuration declares. A launcher outside the
 * host's fence does it, and puts a narrower fence around each of them.
 */
export { createLaunch, type AskOptions, type Launch } from "./ask-launcher.ts";
export { buildArguments } from "./build-arguments.ts";
export type {
  CommandDeclaration,
  CommandDeclarations,
  CommandInput,
  CommandLimits,
  ParameterDeclaration,
  ParameterDeclarations,
  ShellSettings,
} from "./declaration.ts";
export type { DescribedOutput } from "./describe-output.ts";
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
} from "./launcher-protocol.ts";
export { desktopCommand, showOnDesktop } from "./open-desktop.ts";
export { serveLauncher } from "./serve-launcher.ts";
export { startLauncher, type LauncherStart } from "./start-launcher.ts";
export type { TrackedChanges } from "./track-changes.ts";
