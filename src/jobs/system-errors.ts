/**
 * The system's errors that no step has given a meaning to: another process changed something between two looks at it.
 * The caller can do something about that, so it is a failure and not a bug of this program.
 */
import { Failure } from "../base/index.ts";
import { errnoOf } from "../scope/index.ts";
import type { JobHandler } from "../pool/index.ts";

/** These say that the program itself is wrong: a descriptor that was closed too early, memory that is not there. */
const BUGS: ReadonlySet<string> = new Set(["EBADF", "EFAULT", "ENOSYS"]);

export function withSystemErrors(handler: JobHandler): JobHandler {
  return async (name, input, job) => {
    try {
      return await handler(name, input, job);
    } catch (thrown) {
      const code = errnoOf(thrown);
      if (code === undefined || !/^E[A-Z0-9]+$/.test(code) || BUGS.has(code)) throw thrown;
      throw new Failure("conflict", `Cannot finish the call: the operating system answered ${code}`, {
        hint: "Something was replaced while it was looked at. Look at it again and try once more.",
      });
    }
  };
}
