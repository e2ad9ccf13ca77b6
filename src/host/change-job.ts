/**
 * One job of the change worker, for a method of the extension.
 */
import { limits } from "../base/index.ts";
import type { JobAnswer } from "../pool/index.ts";
import type { Caller } from "./call.ts";
import type { Services } from "./services.ts";

export async function changeJob(
  host: Services,
  name: string,
  input: object,
  caller: Caller,
): Promise<unknown> {
  return JSON.parse((await runJob(host, name, input, caller)).payload) as unknown;
}

export async function runJob(
  host: Services,
  name: string,
  input: object,
  caller: Caller,
): Promise<JobAnswer> {
  const { signal, onProgress } = caller;
  return await host.changePool.run({
    name,
    input: JSON.stringify(input),
    timeoutMs: limits.LONG_CALL_MS,
    signal,
    onProgress: onProgress && (({ done, total, what }) => onProgress(done, total, what)),
  });
}
