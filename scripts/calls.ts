/**
 * Compares the table of system calls with the kernel's headers: `bun scripts/calls.ts`. With `--write` a call that is new
 * comes into the table, closed, with its numbers; somebody has to say why it may be opened. With `--x64=FILE` and
 * `--arm64=FILE` other headers than this machine's: `unistd_64.h` and `asm-generic/unistd.h`, or the kernel's own tables
 * (`arch/x86/entry/syscalls/syscall_64.tbl`, `scripts/syscall.tbl`).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addNewCalls, compareCalls, headersOf } from "./checks/kernel-calls.ts";

const TABLE = join(import.meta.dir, "..", "src", "fence", "call-table.txt");
const headers = headersOf({ ...given("x64"), ...given("arm64") });
if (!headers) throw new Error("Cannot compare: there are no headers here. Name them with --x64=FILE and --arm64=FILE.");
if (process.argv.includes("--write")) writeFileSync(TABLE, addNewCalls(readFileSync(TABLE, "utf8"), headers));
const problems = compareCalls(readFileSync(TABLE, "utf8"), headers);
for (const problem of problems) console.error(problem);
console.log(`${headers.x64.size} calls on x86-64, ${headers.arm64.size} on arm64, ${problems.length} differences`);
process.exit(problems.length === 0 ? 0 : 1);

function given(name: "x64" | "arm64"): Partial<Record<"x64" | "arm64", string>> {
  const found = process.argv.find((argument) => argument.startsWith(`--${name}=`));
  return found === undefined ? {} : { [name]: found.slice(name.length + 3) };
}
