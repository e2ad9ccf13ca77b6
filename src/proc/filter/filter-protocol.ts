/**
 * Programs that the configuration of a pack names for one file: they get its bytes and give text. Such a program is started
 * without the roots, without a network, and with that one file to read; so a tool that only reads may use it.
 */
import type { Narrowed } from "../../scope/index.ts";
import type { CommandDeclaration } from "../declaration.ts";

/**
 * `{file}` in an argument stands for the file that it gets, `{out}` for the one that it makes for the next program, `{name}`
 * for a value of the call. Arguments in a list of their own are left out together where one of their values was not given.
 */
export interface FilterDeclaration extends Pick<
  CommandDeclaration,
  "program" | "sha256" | "environment" | "reads" | "timeout_ms" | "memory_mb"
> {
  readonly args: readonly (string | readonly string[])[];
}

export type FilterDeclarations = Readonly<Record<string, FilterDeclaration>>;

export interface FilterRequest extends Narrowed {
  /** One after the other: each but the first gets what the one before it has made. None, where the file itself is wanted. */
  readonly steps: readonly string[];
  /** A file in a root. */
  readonly path?: string | undefined;
  /** The bytes themselves, in base64, and the ending of the name that they get. */
  readonly data?: string | undefined;
  readonly ending?: string | undefined;
  readonly values?: Readonly<Record<string, string>> | undefined;
  /** `file`: what the last one has made is answered, and not what it says. */
  readonly wants?: "file" | undefined;
  /** So much of what the last one says is answered; a file that has more fails as `too_large`. */
  readonly max_bytes: number;
}

export interface FilterAnswer {
  /** What the last program said on its standard output. */
  readonly text: string;
  readonly cut: boolean;
  /** In base64, where a file was wanted. */
  readonly file?: string;
  /** The size of the file that the last program got. */
  readonly input_bytes: number;
  readonly duration_ms: number;
  readonly fence: string;
}
