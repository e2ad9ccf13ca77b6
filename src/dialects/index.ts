/**
 * The names that models were trained on: our tools under the names and parameters of other programs. A dialect is a table;
 * what the tools do stays in `packs`, and everything behind the edge (rules, record, proposals) has canonical names. Nothing
 * of this is loaded unless a dialect was chosen.
 *
 * To be read in this order: `dialect-table` (what a table may say), a table of `tables`, `open-dialect`, `compile-row` with
 * `convert-value` (a call), then `translate-answer` (its answer). It may import `base`, `text`, `txn`,
 * `contract`, `packs` and `mcp`.
 */
export type { DialectName } from "./dialect-table.ts";
export { openDialect, type Dialect, type Spoken } from "./open-dialect.ts";
