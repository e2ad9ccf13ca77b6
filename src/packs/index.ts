/**
 * The packs of `ringfence` itself. Every tool is one file in the folder of its pack; the lists here are the order of
 * `tools/list`. A tool imports `base`, `text`, `contract` and zod; everything else it gets in its context.
 *
 * The packs `files`, `host` and `desktop` are always on, `commands` where the configuration declares some, `remote`
 * where it names other MCP servers or the client offers tools. A pack that is off until it is configured stands in
 * `optional.ts` and is loaded where it is on. It may import `base`, `pictures`, `text` and `contract`.
 */
import * as z from "zod";
import {
  commandsPower,
  definePack,
  desktopPower,
  filesPower,
  reviewsPower,
  searchPower,
  type AnyPackPower,
  type CommandDeclarations,
  type Pack,
  type Tool,
} from "../contract/index.ts";
import { commandTools } from "./commands/command-tools.ts";
import { appendFile } from "./files/change/append-file.ts";
import { applyPatch } from "./files/change/apply-patch.ts";
import { changeFiles } from "./files/change/change-files.ts";
import { copy } from "./files/change/copy.ts";
import { createDirectory } from "./files/change/create-directory.ts";
import { deletePath } from "./files/change/delete.ts";
import { editFile } from "./files/change/edit-file.ts";
import { move } from "./files/change/move.ts";
import { openPath } from "./desktop/open-path.ts";
import { picturesPower } from "./media/pictures.ts";
import { revealInOs } from "./desktop/reveal-in-os.ts";
import { replace } from "./files/change/replace.ts";
import { awaitReview } from "./host/await-review.ts";
import { systemInfo } from "./host/system-info.ts";
import { writeFile } from "./files/change/write-file.ts";
import { READ_TOOLS } from "./worker-tools.ts";

const CHANGE_TOOLS: readonly Tool[] = [
  writeFile,
  editFile,
  appendFile,
  createDirectory,
  move,
  copy,
  deletePath,
  applyPatch,
  changeFiles,
  replace,
];

const HOST_TOOLS: readonly Tool[] = [systemInfo, awaitReview];

const DESKTOP_TOOLS: readonly Tool[] = [openPath, revealInOs];

/** The tools that need no configuration, in the order of `tools/list`. */
export const builtinTools: readonly Tool[] = [...READ_TOOLS, ...HOST_TOOLS, ...CHANGE_TOOLS, ...DESKTOP_TOOLS];

const NO_SETTINGS = z.strictObject({});

export const filesPack: Pack = definePack({
  name: "files",
  title: "Files",
  tools: [...READ_TOOLS, ...CHANGE_TOOLS],
  powers: [filesPower, searchPower],
  config: NO_SETTINGS,
});

export const hostPack: Pack = definePack({
  name: "host",
  title: "This host",
  tools: HOST_TOOLS,
  powers: [reviewsPower],
  config: NO_SETTINGS,
});

export const desktopPack: Pack = definePack({
  name: "desktop",
  title: "The desktop",
  tools: DESKTOP_TOOLS,
  powers: [desktopPower],
  config: NO_SETTINGS,
});

/** What the keys `commands` and `shell` of the configuration come to. */
export interface CommandSettings {
  readonly declarations: CommandDeclarations;
  readonly hasShell: boolean;
  /** What may be started without a shell where there is none. */
  readonly programs?: readonly string[] | undefined;
}

export const commandsPack: Pack = definePack<CommandSettings>({
  name: "commands",
  title: "Commands",
  tools: ({ declarations, hasShell, programs }) => commandTools(declarations, hasShell, programs),
  powers: [commandsPower],
  config: z.custom<CommandSettings>(),
});

/** The tools that others carry out, as they were approved or offered. */
export interface RemoteSettings {
  readonly tools: readonly Tool[];
}

export const remotePack: Pack = definePack<RemoteSettings>({
  name: "remote",
  title: "Tools of other MCP servers and of the client",
  tools: ({ tools }) => tools,
  config: z.custom<RemoteSettings>(),
});

/** Packs that need no entry under `packs`. */
export const builtinPacks: readonly Pack[] = [filesPack, hostPack, desktopPack, commandsPack, remotePack];

/** Powers with code that the host itself asks for, whatever packs there are. */
export const hostPowers: readonly AnyPackPower[] = [picturesPower];

export { commandTools, turnedOff } from "./commands/command-tools.ts";
export { picturesPower } from "./media/pictures.ts";
export { workerTools } from "./worker-tools.ts";
export { spaceTool } from "./commands/space-tool.ts";
export { grepText, type ShownGrep } from "./files/read/grep.ts";
