/**
 * The system calls that the kernel's headers name, and what of them the table of calls has not, or has otherwise. Pure but
 * for where the headers of this machine are.
 */
import { existsSync, readFileSync } from "node:fs";
import { readCallTable } from "../../src/fence/call-rules.ts";

export type KernelCalls = ReadonlyMap<string, number>;
export type KernelHeaders = Readonly<Record<"x64" | "arm64", KernelCalls>>;

/** Where linux-libc-dev and similar packages put the headers; the numbers of arm64 are the generic ones. */
const PLACES: Readonly<Record<"x64" | "arm64", readonly string[]>> = {
  x64: ["/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"],
  arm64: [
    "/usr/include/aarch64-linux-gnu/asm/unistd_64.h",
    "/usr/include/asm-generic/unistd.h",
    "/usr/aarch64-linux-gnu/include/asm/unistd_64.h",
  ],
};
/** Names of calls on other processors that share the generic header, and names that are no calls. */
const NOT_OURS = /^(?:syscalls|arch_specific_syscall|sync_file_range2|.*_time64)$/;
const ONLY_OF_32_BITS = { from: 403, to: 423 };
/** Other names of the same call. */
const RENAMED: Readonly<Record<string, string>> = {
  fstatat: "newfstatat",
  sendfile64: "sendfile",
  umount: "umount2",
};
/** By the kernel's own tables: what a 64-bit processor has. */
const ABIS = /^(?:common|64|renameat|rlimit|memfd_secret)$/;

/** `undefined` where there are none. */
export function headersOf(files: Partial<Record<"x64" | "arm64", string>> = {}): KernelHeaders | undefined {
  const [x64, arm64] = (["x64", "arm64"] as const).map((name) => files[name] ?? PLACES[name].find(existsSync));
  if (x64 === undefined || arm64 === undefined) return undefined;
  return { x64: readHeader(readFileSync(x64, "utf8")), arm64: readHeader(readFileSync(arm64, "utf8")) };
}

/** A header with `#define __NR_read 63`, or a table with `63 common read sys_read`. */
export function readHeader(text: string): KernelCalls {
  const calls = new Map<string, number>();
  for (const line of text.split("\n")) {
    const [, defined, definedAs] = /^#define __NR(?:3264)?_(\w+)\s+(\d+)$/.exec(line) ?? [];
    const [, listedAs, abi = "", listed] = /^(\d+)\s+(\w+)\s+(\w+)/.exec(line) ?? [];
    const name = defined ?? (ABIS.test(abi) ? listed : undefined);
    const number = Number(definedAs ?? listedAs);
    if (name === undefined || NOT_OURS.test(name)) continue;
    if (number >= ONLY_OF_32_BITS.from && number <= ONLY_OF_32_BITS.to) continue;
    calls.set(RENAMED[name] ?? name, number);
  }
  return calls;
}

/** Calls of the headers that the table has not, or with another number. */
export function compareCalls(table: string, headers: KernelHeaders): string[] {
  const known = new Map(readCallTable(table).map((row) => [row.name, row.numbers]));
  return (["x64", "arm64"] as const).flatMap((architecture) =>
    [...headers[architecture]].flatMap(([name, number]) => {
      const has = known.get(name)?.[architecture];
      return has === number ? [] : [`${architecture} ${name} is ${number}, and ${has ?? "missing"} in the table`];
    }),
  );
}

/** The table with a closed line for each call that it has not. */
export function addNewCalls(table: string, headers: KernelHeaders): string {
  const known = new Set(readCallTable(table).map(({ name }) => name));
  const fresh = [...new Set([...headers.x64.keys(), ...headers.arm64.keys()])].filter((name) => !known.has(name));
  const lines = fresh.map((name) => {
    const numbers = [headers.x64.get(name), headers.arm64.get(name)].map((number) => number ?? "-");
    return `${numbers.join(" ")} ${name} absent absent new: nobody has said yet why it may be opened\n`;
  });
  return table + lines.join("");
}
