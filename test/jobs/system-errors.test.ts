/**
 * What the system says where no step has a meaning for it: about the disk of the state folder it is told as such, and a
 * bug stays a bug.
 */
import { expect, test } from "bun:test";
import { Failure } from "../../src/base/index.ts";
import { withSystemErrors } from "../../src/jobs/redact-failures.ts";

const share = (): Promise<undefined> => Promise.resolve(undefined);

async function told(code: string): Promise<unknown> {
  const handler = withSystemErrors(() => {
    throw Object.assign(new Error(code), { code });
  });
  try {
    return await handler("change", "{}", {
      share,
      outside: share,
      cancel: { state: () => "none" },
      deadlineMs: Infinity,
      progress: () => undefined,
      tidy: () => undefined,
    });
  } catch (thrown) {
    return thrown;
  }
}

const MEANINGS = [
  ["ENOSPC", "disk_full", "no space is left for the state folder", "--state-dir"],
  ["EDQUOT", "disk_full", "no space is left for the state folder", "--state-dir"],
  ["EROFS", "denied", "does not permit it", "state folder"],
  ["EMFILE", "busy", "too many files are open", "Try again"],
  ["EIO", "conflict", "a disk failed", "look at the disk"],
  ["ENOENT", "conflict", "answered ENOENT", "replaced while it was looked at"],
] as const;

test.each(MEANINGS)("%s is %s: %s", async (code, failure, state, hint) => {
  const thrown = await told(code);
  if (!(thrown instanceof Failure)) throw thrown;
  expect(thrown.code).toBe(failure);
  expect(thrown.message).toContain(state);
  expect(thrown.data.hint).toContain(hint);
});

test("a descriptor that is closed is a bug", async () => {
  expect(await told("EBADF")).not.toBeInstanceOf(Failure);
});
