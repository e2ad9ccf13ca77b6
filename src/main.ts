/**
 * The program: a clean environment first, then the command line. The launcher of a host, what it starts and a search in a
 * process of its own begin as the same program, so nothing more is loaded before it is known which of them this is.
 *
 * Usual mistake: `await` outside of a function. What waits so cannot share its code with what it imports later, and the bundler makes
 * twice as many chunks of the start.
 */
import { Failure, failureText, logLine } from "./base/index.ts";
import { scrubEnvironment, startArguments } from "./config/index.ts";
import { runAsHelper } from "./start/index.ts";

void main();

async function main(): Promise<void> {
  scrubEnvironment();
  try {
    await runAsHelper();
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    logLine(failureText(thrown.data));
    process.exit(3);
  }
  const { runCommandLine } = await import("./cli/index.ts");
  await runCommandLine(startArguments());
}
