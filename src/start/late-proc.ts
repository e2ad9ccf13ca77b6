/**
 * A launcher, and what its keepers need when it is gone, for `import()`: no start of a host loads it. Not the face of their folder:
 * what is loaded by `import()` is kept whole in the binary, and it needs little of that.
 */
export { endAllFrom, serveLauncher } from "../proc/index.ts";
