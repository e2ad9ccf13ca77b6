/**
 * Risk and decision, pure. Knows no host, no files and no protocol.
 */
export { decide, MODES, narrowMode, type Decision, type Mode } from "./decide.ts";
export { assessRisk, type Risk } from "./risk.ts";
