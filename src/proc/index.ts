/**
 * Starting other programs. So far only the desktop's own openers; nothing that a caller chose. A fenced host can start
 * nothing, so a launcher outside does it for it.
 */
export { runHook } from "./run-hook.ts";
export { createLaunch, type Launch } from "./ask-launcher.ts";
export { findOpeners } from "./find-openers.ts";
export { desktopCommand, showOnDesktop } from "./open-desktop.ts";
export { serveLauncher } from "./serve-launcher.ts";
export { startLauncher } from "./start-launcher.ts";
