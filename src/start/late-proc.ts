/**
 * A launcher, and what its keepers need when it is gone, for `import()`. Not the face of their folder:
 * what is loaded by `import()` is kept whole in the binary, and every start of a host would read all of it for the
 * little that it needs.
 */
export { endAllFrom, serveLauncher } from "../proc/index.ts";
