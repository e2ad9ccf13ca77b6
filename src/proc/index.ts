/**
 * Starting other programs: the desktop's openers, the hooks and commands that the configuration declares, other MCP
 * servers, helpers for the powers of packs, and this program once more for work that must be killable. A launcher
 * outside the host's fence starts them, with a narrower fence around each.
 *
 * Read in this order; nothing imports a later room: `declaration.ts` (what the operator said) and
 * `launcher-protocol.ts` (what host and launcher say to each other); `tree/` (which processes belong to a command, and
 * their end); `network/` (what a list of hosts means for a program); `plan/` (from a request to a program that can be started); `run/` (a program from its start to its end);
 * `git/` (git, with a configuration that runs nothing);
 * `filter/` (a program for one file: bytes in, text out);
 * `launcher/` (both ends of the launcher). It may import `base`, `sys`, `text`, `pattern`, `reach`, `scope`,
 * `approval`, `fence` and `state`.
 */
export { Helper, type HelperCall } from "./launcher/ask-helper.ts";
export { serveHelper, type PowerCode } from "./launcher/serve-helper.ts";
export {
  RELAY_MARK,
  refusedAddress,
  type CommandDeclaration,
  type CommandDeclarations,
  type CommandInput,
  type CommandLimits,
  type HookPrograms,
  type PackProgram,
  type ParameterDeclaration,
  type ParameterDeclarations,
  type ReadSpaceTool,
  type RelayOrder,
  type ShellSettings,
  type SpaceOrder,
  type UpstreamDeclaration,
  type RenamedTool,
  type UpstreamsConfig,
} from "./declaration.ts";
export type { FilterAnswer, FilterDeclaration, FilterDeclarations, FilterRequest } from "./filter/filter-protocol.ts";
export type { GitAnswer, GitFound, GitPlace, GitRequest, GitUse } from "./git/git-protocol.ts";
export type {
  CommandsConfig,
  CommandsView,
  HelperOrder,
  HelperPlan,
  HelpersConfig,
  HelperStart,
  LauncherCalls,
  LauncherConfig,
  OutputQuery,
  ReadyWhen,
  RunDescription,
  RunRequest,
  UpstreamEnd,
} from "./launcher-protocol.ts";
export type {
  DescribedOutput,
  ProcessAnswer,
  ProcessState,
  RunAnswer,
  TrackedChanges,
  TrackedFile,
} from "./run-answers.ts";
export {
  createLaunch,
  startLauncher,
  type AskOptions,
  type Launch,
  type LauncherStart,
} from "./launcher/ask-launcher.ts";
export { serveLauncher } from "./launcher/serve-launcher.ts";
export { openDesktopNotifier, type DesktopNotifier } from "./desktop-notice.ts";
export { openTerminal } from "./open-terminal.ts";
export { desktopCommand, findOpeners, showOnDesktop } from "./open-desktop.ts";
export { readLines, TextWriter } from "./run/lines.ts";
export { startService, type OwnService } from "./run/start-service.ts";
export { buildArguments } from "./plan/build-arguments.ts";
export { findPrograms, matchesPin } from "./plan/find-program.ts";
export { FIRST_APART_FD, runApart, runHookHere, type ApartProgram } from "./run-apart.ts";
export { ControlGroups } from "./tree/control-group.ts";
export { endAllFrom } from "./tree/processes.ts";
