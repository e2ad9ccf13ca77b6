/**
 * Standard output as a line sink. Bun's `FileSink` makes fd 1 non-blocking, keeps what the kernel did not take on EAGAIN
 * and goes on when the pipe has room, so no byte is lost or written twice; the promise says when. Never hand fd 1 to a
 * child: the non-blocking flag belongs to the open file and is shared.
 *
 * Usual mistake: `process.stdout.write` and `process.exit`, which cuts a pipe at 65,536 bytes.
 */
import type { LineSink } from "./writer.ts";

/** Made once a process: two sinks on one fd would cut each other's lines. */
export function stdoutSink(): LineSink {
  return Bun.stdout.writer();
}
