/**
 * The same program once more in this process, by execve(2) itself: the runtime's own form of it closes every descriptor
 * but the standard streams, and the fenced host keeps one more.
 */
import { Failure } from "../base/index.ts";
import { ForeignMemory, sizeOfTexts, type SystemCalls } from "../sys/index.ts";

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
  const memory = new ForeignMemory(sizeOfTexts([program]) + sizeOfTexts(args) + sizeOfTexts(variables));
  const [path, argv, envp] = [memory.putText(program), memory.putTexts(args), memory.putTexts(variables)];
  atLast?.();
  const error = call("execve", path, argv, envp);
  throw new Failure("unsupported", `Cannot start behind the kernel fence: execve ${error}`, {
    hint: "Start with --fence=off to go on with handles only.",
  });
}
