/**
 * The built-in tools. The order here is the order of `tools/list`; a new tool is one file beside this one, one line here
 * and one test. A tool imports the contract and pure text only: everything else it gets in its context.
 */
import type { Tool } from "../contract/index.ts";
import { appendFile } from "./append-file.ts";
import { applyPatch } from "./apply-patch.ts";
import { changeFiles } from "./change-files.ts";
import { copy } from "./copy.ts";
import { createDirectory } from "./create-directory.ts";
import { deletePath } from "./delete.ts";
import { diffFiles } from "./diff-files.ts";
import { diskUsage } from "./disk-usage.ts";
import { editFile } from "./edit-file.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { hashFile } from "./hash-file.ts";
import { listDirectory } from "./list-directory.ts";
import { move } from "./move.ts";
import { openPath } from "./open-path.ts";
import { readFile } from "./read-file.ts";
import { readFiles } from "./read-files.ts";
import { revealInOs } from "./reveal-in-os.ts";
import { stat } from "./stat.ts";
import { systemInfo } from "./system-info.ts";
import { tree } from "./tree.ts";
import { writeFile } from "./write-file.ts";

/** Those of `ringfence` itself, in the order of `tools/list`; declared commands come from the configuration. */
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

export { commandTools } from "./command-tools.ts";
