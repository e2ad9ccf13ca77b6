/**
 * A host inside a program of one's own, without a transport. A folder of its own so that `ringfence` itself, which never needs
 * it, never loads it. It may import `calls`, `base`, `text`, `scope`, `fence`, `wire`, `proc`, `contract`, `mcp`, `config`, `start` and
 * `host`.
 */
export { resolveWithinRoots } from "./resolve-within-roots.ts";
export { createHost, type CreateHostOptions } from "./create-host.ts";
