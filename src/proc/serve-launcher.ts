/**
 * The launcher's whole life: take what the host may reach, then read a request, check the path against a scope of its own,
 * hand it to the desktop, answer. It ends when the host does. There is nothing else to do, so it waits in the call itself.
 *
 * The openers are looked for once, before the host can write anything, and never in a place that the host can write.
 */
import { readSync, writeSync } from "node:fs";
import { Failure, newId, toFailure } from "../base/index.ts";
import { Scope } from "../scope/index.ts";
import { findOpeners, type Openers } from "./find-openers.ts";
import {
  encodeLine,
  MAX_LINE_BYTES,
  type LaunchAnswer,
  type LauncherConfig,
  type LaunchRequest,
} from "./launcher-protocol.ts";
import { showOnDesktop } from "./open-desktop.ts";

const CONNECTION = 0;
const NEWLINE = 0x0a;

export function serveLauncher(environment: Readonly<Record<string, string>>): void {
  const receive = createReader();
  const first = receive();
  if (first === undefined) return;
  const config = JSON.parse(first) as LauncherConfig;
  const openers = findOpeners(environment, [...config.roots.map(({ path }) => path), ...config.hidden]);
  let scope: Scope;
  try {
    scope = new Scope(config);
  } catch {
    // The host says what is wrong with a root.
    return;
  }
  for (let line = receive(); line !== undefined; line = receive()) {
    const bytes = encodeLine(answer(scope, line, openers));
    for (let at = 0; at < bytes.length;) at += writeSync(CONNECTION, bytes, at);
  }
}

function answer(scope: Scope, line: string, openers: Openers): LaunchAnswer {
  try {
    const { action, path } = JSON.parse(line) as Partial<LaunchRequest>;
    if (typeof path !== "string" || (action !== "open" && action !== "reveal"))
      throw new Failure("invalid_input", "Cannot launch: the request has not the right form");
    showOnDesktop(action, scope.absolute(scope.resolve(scope.locate(path, action), action)), openers);
    return {};
  } catch (thrown) {
    return { failure: toFailure(thrown, () => newId("bug")).data };
  }
}

/** The next line at every call; `undefined` when the host is gone, or says more than a line can hold. */
function createReader(): () => string | undefined {
  const bytes = Buffer.alloc(MAX_LINE_BYTES);
  let length = 0;
  return () => {
    for (;;) {
      const end = bytes.subarray(0, length).indexOf(NEWLINE);
      if (end >= 0) {
        const line = bytes.toString("utf8", 0, end);
        bytes.copyWithin(0, end + 1, length);
        length -= end + 1;
        return line;
      }
      if (length === MAX_LINE_BYTES) return undefined;
      const got = readSync(CONNECTION, bytes, length, MAX_LINE_BYTES - length, null);
      if (got === 0) return undefined;
      length += got;
    }
  };
}
