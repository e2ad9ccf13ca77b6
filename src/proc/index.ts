/**
 * Starting other programs: the desktop's own openers, and this program once more for work that must be killable; nothing
 * that a caller chose. A fenced host can start nothing, so a launcher outside does it for it.
 */
export { runHook } from "./run-hook.ts";
export { createLaunch, type Launch } from "./ask-launcher.ts";
export { findOpeners } from "./find-openers.ts";
export { desktopCommand, showOnDesktop } from "./open-desktop.ts";
export { FIRST_APART_FD, runApart, type ApartProgram } from "./run-apart.ts";
export { serveLauncher } from "./serve-launcher.ts";
export { startLauncher } from "./start-launcher.ts";
