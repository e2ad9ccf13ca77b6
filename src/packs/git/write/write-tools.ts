/**
 * The verbs of git that change a repository.
 */
import type { Tool } from "../../../contract/index.ts";

export const writeTools: readonly Tool[] = [];
