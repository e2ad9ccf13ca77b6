/**
 * The host's end of a launcher, for `import()`, and nothing else: most hosts start one, in a work tree of git for example, and it
 * sleeps. What is exported here beside it is read by every such start.
 */
export { startLauncher } from "../proc/index.ts";
