/**
 * The launcher's whole life: read a request, check the path against its own scope, hand it to the desktop, answer. It
 * ends when the host does. There is nothing else to do, so it waits in the call itself.
 */
import { readSync, writeSync } from "node:fs";
import { Failure, newId, toFailure } from "../base/index.ts";
import { Scope } from "../scope/index.ts";
import {
  encodeLine,
  MAX_LINE_BYTES,
  type LaunchAnswer,
  type LauncherConfig,
  type LaunchRequest,
} from "./launcher-protocol.ts";
import { openWithDesktop, revealInFileManager } from "./open-desktop.ts";

const CONNECTION = 0;

export function serveLauncher(configText: string, environment: Record<string, string>): void {
  const scope = new Scope(JSON.parse(configText) as LauncherConfig);
  for (let line = receive(); line !== undefined; line = receive()) {
    const bytes = encodeLine(answer(scope, line, environment));
    for (let at = 0; at < bytes.length;) at += writeSync(CONNECTION, bytes, at);
  }
}

function answer(scope: Scope, line: string, environment: Record<string, string>): LaunchAnswer {
  try {
    const { action, path } = JSON.parse(line) as Partial<LaunchRequest>;
    if (typeof path !== "string" || (action !== "open" && action !== "reveal"))
      throw new Failure("invalid_input", "Cannot launch: the request has not the right form");
    const real = scope.absolute(scope.resolve(scope.locate(path, action), action));
    if (action === "open") openWithDesktop(real, environment);
    else revealInFileManager(real, environment);
    return {};
  } catch (thrown) {
    return { failure: toFailure(thrown, () => newId("bug")).data };
  }
}

/** The next line; `undefined` when the host is gone, or says more than a line can hold. */
function receive(): string | undefined {
  const bytes = Buffer.alloc(MAX_LINE_BYTES);
  let length = 0;
  while (length < MAX_LINE_BYTES) {
    const got = readSync(CONNECTION, bytes, length, MAX_LINE_BYTES - length, null);
    if (got === 0) return undefined;
    length += got;
    if (bytes[length - 1] === 0x0a) return bytes.toString("utf8", 0, length);
  }
  return undefined;
}
