/**
 * Starting other programs. So far only the desktop's own openers; nothing that a caller chose.
 */
export { desktopCommand, openWithDesktop, revealInFileManager } from "./open-desktop.ts";
