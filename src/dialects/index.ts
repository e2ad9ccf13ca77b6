/**
 * The names that models were trained on: our tools under the names and parameters of other programs. A dialect is a table;
 * what the tools do stays in `tools`, and everything behind the edge (rules, record, proposals) speaks canonical names.
 *
 * Nothing of this is loaded unless a dialect was chosen.
 */
export type { DialectName } from "./dialect-table.ts";
export { openDialect, type Dialect, type Spoken } from "./open-dialect.ts";
