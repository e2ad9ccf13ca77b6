/**
 * The two ends of a launcher, for `import()`. Not the face of their folder: what is loaded by `import()` is kept whole in the
 * binary, and every start of a host would read all of it for the little that it needs.
 */
export { serveLauncher, startLauncher } from "../proc/index.ts";
