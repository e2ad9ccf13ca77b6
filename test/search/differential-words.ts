/**
 * The vocabulary of the comparison with ripgrep: one of several texts, written in a row and not in a column.
 */

/**
 * One of the words of `row`, which are parted by spaces, or one of `others`. Only ASCII in the row: of a raw template
 * Bun makes escapes of all else.
 */
export function listed(row: string, ...others: string[]): fc.Arbitrary<string> {
  return fc.constantFrom(...row.split(" "), ...others);
}
import { fc } from "../property.ts";
