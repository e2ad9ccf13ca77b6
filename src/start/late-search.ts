/**
 * A search in a process of its own, for `import()`. Not the face of its folder: what is imported as a whole is one piece in the executable,
 * and the reading workers would load what changes files with it.
 */
export { serveSearchApart } from "../jobs/index.ts";
