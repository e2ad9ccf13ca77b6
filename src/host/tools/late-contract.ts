/**
 * What the host needs of tools when the first one is asked for, for `import()`; `packs/late-packs.ts` says why these names alone.
 */
export { checkInput, createRegistry, toTool } from "../../contract/index.ts";
