/**
 * New files of one transaction, flushed together. A file system writes down every flush by itself, so a hundred files that
 * are written and flushed one by one wait a hundred times. Here all of them are written first, the system is told to
 * begin with their bytes (`sync_file_range`, which is a hint and promises nothing), and then each is flushed: nearly all of
 * it is on the disk by then.
 */
import { closeSync, fsyncSync } from "node:fs";
import { limits, openLibc } from "../../base/index.ts";
import { failureOf } from "../../scope/index.ts";
import type { Disk } from "./disk.ts";
import type { SealedPath } from "../model.ts";
import { locatedFrom } from "../prepare/target.ts";

interface Waiting {
  readonly fd: number;
  /** What the file is for. */
  readonly at: SealedPath;
}

export class Flushes implements Disposable {
  readonly #disk: Disk;
  #waiting: Waiting[] = [];

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /**
   * What is written by `work` is on the disk after the next `settle`. The file is closed here, also when `work` fails.
   * @throws what `work` throws, or a Failure of an earlier file
   */
  afterwards<T>(fd: number, at: SealedPath, work: () => T): T {
    let result: T;
    try {
      result = work();
    } catch (thrown) {
      closeSync(fd);
      throw thrown;
    }
    this.#add({ fd, at });
    return result;
  }

  /** @throws Failure when one of them cannot be flushed, which is never tried twice: the kernel forgets what it could not write */
  settle(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    using open = new DisposableStack();
    for (const { fd } of waiting) open.defer(() => closeSync(fd));
    if (this.#disk.durability !== "full") return;
    if (waiting.length > 1) for (const { fd } of waiting) startWriting(fd);
    for (const { fd, at } of waiting) {
      try {
        fsyncSync(fd);
      } catch (thrown) {
        throw failureOf(thrown, this.#disk.scope, locatedFrom(this.#disk.scope, at), "change");
      }
    }
  }

  /** Of what failed on the way nothing needs to be on the disk. */
  [Symbol.dispose](): void {
    for (const { fd } of this.#waiting) closeSync(fd);
    this.#waiting = [];
  }

  #add(one: Waiting): void {
    this.#waiting.push(one);
    if (this.#waiting.length >= limits.MAX_FLUSHED_TOGETHER) this.settle();
  }
}

const SYNC_FILE_RANGE_WRITE = 2;

let start: ((fd: number) => unknown) | undefined;

function startWriting(fd: number): void {
  start ??= openStart();
  start(fd);
}

/** Opened late: only changes of several files need it. */
function openStart(): (fd: number) => unknown {
  const libc =
    process.platform === "linux"
      ? openLibc({ sync_file_range: { args: ["i32", "i64", "i64", "u32"], returns: "i32" } })
      : undefined;
  return (fd) => libc?.sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
}
