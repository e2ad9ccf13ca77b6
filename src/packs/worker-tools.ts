/**
 * The tools that run in the reading workers as a whole. A worker loads these and no other tool, so this list stands apart from the others.
 */
import type { Tool } from "../contract/index.ts";
import { diffFiles } from "./files/read/diff-files.ts";
import { diskUsage } from "./files/read/disk-usage.ts";
import { glob } from "./files/read/glob.ts";
import { grep } from "./files/read/grep.ts";
import { hashFile } from "./files/read/hash-file.ts";
import { listDirectory } from "./files/read/list-directory.ts";
import { readFile } from "./files/read/read-file.ts";
import { readFiles } from "./files/read/read-files.ts";
import { stat } from "./files/read/stat.ts";
import { tree } from "./files/read/tree.ts";
import { systemInfo } from "./host/system-info.ts";
import { memoryList } from "./memory/list.ts";
import { memoryRead } from "./memory/read.ts";

/** In the order of `tools/list`. */
export const READ_TOOLS: readonly Tool[] = [
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
];

/** They read, and need nothing that only the main thread has. */
export const workerTools: readonly Tool[] = [...READ_TOOLS, systemInfo, memoryRead, memoryList];
