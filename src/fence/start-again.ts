/**
 * The same program once more in this process, by execve(2) itself: the runtime's own form of it closes every descriptor
 * but the standard streams, and the fenced host keeps one more.
 */
import { ptr } from "bun:ffi";
import { Failure } from "../base/index.ts";
import type { SystemCalls } from "./system-calls.ts";

/**
 * Does not return. @param atLast called when nothing is left to be made
 * @throws Failure `unsupported` when the kernel refuses
 */
export function startAgain(
  { call }: SystemCalls,
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  atLast?: () => void,
): never {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const [path, argv, envp] = [cString(program), cStrings(args), cStrings(variables)];
  atLast?.();
  const error = call("execve", path, argv.pointers, envp.pointers);
  throw new Failure("unsupported", `Cannot start behind the kernel fence: execve ${error}`, {
    hint: "Start with --fence=off to go on with handles only.",
  });
}

interface Strings {
  /** Held, so that what the pointers lead to stays. */
  readonly memory: readonly Buffer[];
  readonly pointers: BigUint64Array<ArrayBuffer>;
}

/** As C has them: pointers, and a null at the end. */
function cStrings(strings: readonly string[]): Strings {
  const memory = strings.map(cString);
  return { memory, pointers: BigUint64Array.from([...memory.map((one) => BigInt(ptr(one))), 0n]) };
}

function cString(text: string): Buffer {
  return Buffer.from(`${text}\0`, "utf8");
}
