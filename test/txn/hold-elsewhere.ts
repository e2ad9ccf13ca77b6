/**
 * Another process that holds the lock of a directory, as another host does while it changes something there.
 *
 * Usual mistake: to go on as soon as it was started; it may not have the lock by then.
 */
import { component, type Component } from "../components/component.ts";
import { settled } from "../waits/until.ts";

/** What holds it. */
export const FLOCK: Component = component("flock");

/** Given when it has the lock; it has it until this is disposed of. */
export async function holdElsewhere(directory: string): Promise<AsyncDisposable> {
  // The lock is let go when the last one with the descriptor is gone: flock(1) gives it to what it starts.
  const child = Bun.spawn(["flock", directory, "sh", "-c", "echo held; exec cat"], {
    stdin: "pipe",
    stdout: "pipe",
  });
  const said = await settled("another process to hold the directory", child.stdout.getReader().read());
  if (Buffer.from(said.value ?? []).toString() !== "held\n") throw new Error("nobody holds it");
  return {
    async [Symbol.asyncDispose]() {
      await child.stdin.end();
      await settled("the one that held the directory to end", child.exited);
    },
  };
}
