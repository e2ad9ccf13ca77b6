/**
 * The tools that a host begins with, for `import()`: what is imported as a whole is one piece in the executable, and the reading workers
 * would load all of that piece which the face of this folder is.
 */
export { builtinPacks, builtinTools, commandsPack, commandTools, hostPowers } from "./index.ts";
