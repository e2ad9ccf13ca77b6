/**
 * The host's end of its launcher: one request at a time, answered or failed in bounded time. An answer that comes too
 * late would be taken for the next one's, so after a timeout the launcher is given up.
 */
import { read, writeSync } from "node:fs";
import { Failure, failureFromData } from "../base/index.ts";
import { encodeLine, MAX_LINE_BYTES, type LaunchAnswer, type LaunchRequest } from "./launcher-protocol.ts";

/** To hand something to the desktop takes milliseconds. */
const ANSWER_MS = 10_000;

export type Launch = (request: LaunchRequest) => Promise<void>;

/** @param fd what `startLauncher` returned */
export function createLaunch(fd: number): Launch {
  let isLost = false;
  const launch: Launch = async (request) => {
    const answer = isLost ? undefined : await ask(fd, request);
    isLost = answer === undefined;
    if (!answer) throw lost(request);
    if (answer.failure) throw failureFromData(answer.failure);
  };
  let last: Promise<void> = Promise.resolve();
  return async (request) => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    try {
      await launch(request);
    } finally {
      resolve();
    }
  };
}

/** `undefined` when no answer came. */
async function ask(fd: number, request: LaunchRequest): Promise<LaunchAnswer | undefined> {
  try {
    const bytes = encodeLine(request);
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    const line = await Promise.race([receive(fd), Bun.sleep(ANSWER_MS)]);
    return line === undefined ? undefined : (JSON.parse(line) as LaunchAnswer);
  } catch {
    return undefined;
  }
}

async function receive(fd: number): Promise<string | undefined> {
  const bytes = Buffer.alloc(MAX_LINE_BYTES);
  let length = 0;
  while (length < MAX_LINE_BYTES) {
    const got = await readSome(fd, bytes, length);
    if (got === 0) return undefined;
    length += got;
    if (bytes[length - 1] === 0x0a) return bytes.toString("utf8", 0, length);
  }
  return undefined;
}

async function readSome(fd: number, bytes: Buffer, at: number): Promise<number> {
  return await new Promise((resolve, reject) => {
    read(fd, bytes, at, bytes.length - at, null, (error, got) => {
      if (error) reject(error);
      else resolve(got);
    });
  });
}

function lost({ action, path }: LaunchRequest): Failure {
  return new Failure("unsupported", `Cannot ${action} "${path}": the launcher outside the fence has ended`, {
    hint: "Start the host again.",
  });
}
