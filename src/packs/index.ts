/**
 * The built-in tools, one file each: `files` (`read`, `change`), `commands`, `desktop`, `host`. The order here is the order of
 * `tools/list`; a new tool is one file in its pack, one line here and one test. A tool imports `base`, `text`, `contract` and
 * zod; everything else it gets in its context.
 */
import type { Tool } from "../contract/index.ts";
import { appendFile } from "./files/change/append-file.ts";
import { applyPatch } from "./files/change/apply-patch.ts";
import { changeFiles } from "./files/change/change-files.ts";
import { copy } from "./files/change/copy.ts";
import { createDirectory } from "./files/change/create-directory.ts";
import { deletePath } from "./files/change/delete.ts";
import { diffFiles } from "./files/read/diff-files.ts";
import { diskUsage } from "./files/read/disk-usage.ts";
import { editFile } from "./files/change/edit-file.ts";
import { glob } from "./files/read/glob.ts";
import { grep } from "./files/read/grep.ts";
import { hashFile } from "./files/read/hash-file.ts";
import { listDirectory } from "./files/read/list-directory.ts";
import { move } from "./files/change/move.ts";
import { openPath } from "./desktop/open-path.ts";
import { readFile } from "./files/read/read-file.ts";
import { readFiles } from "./files/read/read-files.ts";
import { revealInOs } from "./desktop/reveal-in-os.ts";
import { stat } from "./files/read/stat.ts";
import { systemInfo } from "./host/system-info.ts";
import { tree } from "./files/read/tree.ts";
import { writeFile } from "./files/change/write-file.ts";

/** The tools of `ringfence` itself, in the order of `tools/list`; declared commands come from the configuration. */
export const builtinTools: readonly Tool[] = [
  listDirectory,
  readFile,
  readFiles,
  stat,
  glob,
  grep,
  diskUsage,
  hashFile,
  tree,
  diffFiles,
  systemInfo,
  writeFile,
  editFile,
  appendFile,
  createDirectory,
  move,
  copy,
  deletePath,
  applyPatch,
  changeFiles,
  openPath,
  revealInOs,
];

export { commandTools, turnedOff } from "./commands/command-tools.ts";
