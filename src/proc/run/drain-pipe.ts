/**
 * Reads a pipe of a program as long as anything comes, and takes what is left when somebody gives up waiting for its end.
 */
import { closeSync, readSync } from "node:fs";
import { neverWait, widen } from "../../sys/index.ts";

export interface Drain {
  /** Nothing more comes. */
  readonly ended: Promise<void>;
  readonly giveUp: () => Promise<void>;
  readonly close: () => void;
}

/** @param fd of a pipe; `close` closes it */
export function drainPipe(fd: number, push: (bytes: Uint8Array) => void): Drain {
  widen(fd);
  const reader = Bun.file(fd).stream().getReader();
  const readAll = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      push(value);
    }
  };
  return {
    // A read that fails is as good as the end: nothing more can be read.
    ended: readAll().catch(() => undefined),
    async giveUp() {
      await reader.cancel();
      takeRest(fd, push);
    },
    close: () => closeSync(fd),
  };
}

/**
 * What was written before is never lost, however late this process has its turn: as much as the largest pipe holds that a
 * program can make of it, and no more.
 */
function takeRest(fd: number, push: (bytes: Uint8Array) => void): void {
  neverWait(fd);
  const memory = Buffer.allocUnsafe(REST_BYTES);
  try {
    for (let part = 0; part < MAX_RESTS; part++) {
      const read = readSync(fd, memory);
      if (read === 0) return;
      push(memory.subarray(0, read));
    }
  } catch {
    // The pipe is empty, or broken: both are its end.
  }
}

const REST_BYTES: number = 64 * 1024;
const MAX_RESTS = 16;

/** Several pipes as one. */
export function drainAll(drains: readonly Drain[]): Drain {
  return {
    ended: Promise.all(drains.map(({ ended }) => ended)).then(() => undefined),
    async giveUp() {
      await Promise.all(drains.map(async ({ giveUp }) => await giveUp()));
    },
    close() {
      for (const { close } of drains) close();
    },
  };
}
