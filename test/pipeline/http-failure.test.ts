/**
 * What a tool is told of an exchange that failed. A request that may have changed something is never said to be repeated as it is.
 */
import { expect, test } from "bun:test";
import { Failure } from "../../src/base/index.ts";
import { failureOf, lostAnswer } from "../../src/pipeline/execute/outside/http-failure.ts";

const ASKED = { host: "api.example", port: 443, maxBytes: 1000, timeoutMs: 5000 };
const ANSWERED = { address: "192.0.2.1", ms: 3, isProxied: undefined };

function told(problem: Parameters<typeof failureOf>[1]["problem"], method: string) {
  const isRepeatable = method !== "POST";
  return failureOf({ ...ASKED, isRepeatable }, { ...ANSWERED, problem, why: "reset by 192.0.2.1" }, "api.example:443")
    .data;
}

test.each(["full", "too_large"] as const)("failureOf() says of %s that the server has had a POST", (problem) => {
  expect(told(problem, "POST")).toMatchObject({
    retry: "changed",
    hint: expect.stringContaining("has had the request"),
  });
});

test.each(["timed_out", "broken"] as const)("failureOf() says of %s that the server may have had a POST", (problem) => {
  expect(told(problem, "POST")).toMatchObject({
    retry: "changed",
    hint: expect.stringContaining("may have had the request"),
  });
});

test.each(["full", "broken", "connect"] as const)("failureOf() has a GET made again later after %s", (problem) => {
  expect(told(problem, "GET").retry).toBe("later");
  expect(told(problem, "HEAD").hint).not.toContain("the request");
});

test("failureOf() keeps the address that was dialled to itself", () => {
  expect(told("broken", "GET").message).toBe('Cannot reach "api.example:443": the connection failed (reset by ...)');
});

test("failureOf() leaves out what the runtime advises programmers", () => {
  const why =
    "The socket connection was closed unexpectedly. For more information, pass `verbose: true` in the second argument to fetch()";
  const failure = failureOf(
    { ...ASKED, isRepeatable: true },
    { ...ANSWERED, problem: "broken", why },
    "api.example:443",
  );
  expect(failure.message).toBe(
    'Cannot reach "api.example:443": the connection failed (The socket connection was closed unexpectedly)',
  );
});

test("lostAnswer() keeps what was thrown, and says only of a request that changes something that it may have arrived", () => {
  const ended = new Failure("command_failed", "Cannot finish the call: the helper ended", { retry: "later" });
  expect(lostAnswer({ ...ASKED, isRepeatable: true }, ended)).toBe(ended);
  const cancelled = new Failure("cancelled", "Cannot finish the call: it was cancelled");
  expect(lostAnswer({ ...ASKED, isRepeatable: false }, cancelled)).toBe(cancelled);
  const lost = lostAnswer({ ...ASKED, isRepeatable: false }, ended) as Failure;
  expect(lost.data).toMatchObject({ code: "command_failed", message: ended.message, retry: "changed" });
  expect(lost.data.hint).toContain("may have had the request");
});
