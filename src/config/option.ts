/**
 * What a row of the table of options says. The rows are in `options.ts`; the flags, the schema of the file and the docs are made
 * from them, so a member that no row has is not needed here.
 */
export interface Option {
  /** The values of a choice, or the kind of value. */
  readonly takes: readonly string[] | "text" | "list" | "switch" | "number" | "structure";
  /** What it is, in one line of `--help`. */
  readonly help: string;
  /** What docs/configuration.md and the JSON Schema say besides. */
  readonly more?: string;
  /** The value of a choice that nobody made. */
  readonly default?: string;
  /** How a later layer of the configuration is put over an earlier one; absent: it replaces the value. */
  readonly layers?: "appended" | "merged" | "merged by name";
  /** True for paths that are relative to the file in which they stand. */
  readonly paths?: true;
  /** What it is in a root's own `.ringfence.json`, which can only narrow; absent: it cannot stand there. */
  readonly inRoot?: string;
  /** True for a flag without a value, or what `--help` shows for the value; absent: there is no flag. */
  readonly flag?: true | string;
  /** The only command that has the flag; absent: every command that opens a host. */
  readonly command?: "serve";
  /** Where it can be set, if not everywhere. */
  readonly only?: "command line" | "file" | "machine";
}
