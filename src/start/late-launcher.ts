/**
 * The host's end of a launcher, for `import()`. Apart from the launcher itself (`late-proc.ts`): most hosts start one, in a work tree
 * of git for example, and it sleeps.
 */
export { startLauncher } from "../proc/index.ts";
