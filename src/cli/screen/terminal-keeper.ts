/**
 * A small shell that puts the terminal back when this process is killed in a way that it cannot notice. It waits on a pipe that
 * only this process holds open, and does nothing else.
 *
 * Where there is no shell a killed review leaves the terminal raw, as other programs do there; `reset` mends it.
 */
export interface TerminalKeeper extends Disposable {
  /** The state of the terminal is known; it may be changed from now on. */
  readonly ready: Promise<void>;
}

/** @param path of the shell */
export function startTerminalKeeper(path = "/bin/sh"): TerminalKeeper {
  try {
    const child = Bun.spawn([path, "-c", SCRIPT], { stdin: "pipe", stdout: "pipe", stderr: "ignore" });
    child.unref();
    return { ready: firstRead(child.stdout), [Symbol.dispose]: () => child.kill("SIGKILL") };
  } catch {
    return { ready: Promise.resolve(), [Symbol.dispose]: () => undefined };
  }
}

/**
 * TTOU is ignored because another program may have the terminal by then, and the other signals because they are meant for us.
 * A shell with job control has put the modes back by itself, and set some for its prompt: only a terminal in which Ctrl-C is no
 * signal is still as the review had it.
 */
const SCRIPT = `trap '' TTOU INT TSTP HUP QUIT TERM
exec 3<>/dev/tty || exit 0
saved=$(stty -g <&3) || exit 0
echo ready
while read -r _; do :; done
case $(stty -a <&3) in *-isig*) stty "$saved" <&3 ;; esac
printf '\\033[?2004l\\033[?1004l\\033[?1049l\\033[?25h\\033[0m' >&3
printf 'ringfence review was killed. What was chosen is kept. Press Enter.\\r\\n' >&3`;

async function firstRead(stream: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stream.getReader();
  await reader.read();
  reader.releaseLock();
}
