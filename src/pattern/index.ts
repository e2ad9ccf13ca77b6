/**
 * Patterns of names and paths: one matcher for rules, deny globs and lists of tools, in linear time. Pure. It may import
 * `base`.
 */
export { compileExpression, MAX_EXPRESSION_WORK, type Expression } from "./compile-expression.ts";
export { canLieIn, fixedPart, plainPattern, plainTextOf } from "./fixed-part.ts";
export { findOddName, type OddName } from "./odd-names.ts";
export { compilePattern, MAX_STEPS, type Pattern, type PatternOptions } from "./compile-pattern.ts";
export { foldText, POSIX_CLASSES } from "./pattern-text.ts";
