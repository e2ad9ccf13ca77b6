/**
 * Files that a person names beside the record: a receipt, and the public key of whoever wrote a record.
 */
import { readFileSync } from "node:fs";
import { checkPublicKey } from "../../../audit/index.ts";
import { Failure } from "../../../base/index.ts";

/** @throws Failure `invalid_input` for a file that cannot be read or holds no public key */
export function readPublicKey(file: string): string {
  const text = readNamedFile(file);
  checkPublicKey(text);
  return text;
}

/** @throws Failure `invalid_input` */
export function readNamedFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    const { code = "unknown" } = thrown as NodeJS.ErrnoException;
    throw new Failure("invalid_input", `Cannot read "${file}": ${code === "ENOENT" ? "no such file" : code}`, {
      hint: "Give a file that is there.",
    });
  }
}
