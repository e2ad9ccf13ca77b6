/**
 * Lists of hosts: what an entry stands for, and which texts are no entries, because two programs would read them in two ways.
 */
import { describe, expect, test } from "bun:test";
import type { Failure } from "../../src/base/index.ts";
import { listsAddress, parseReach, reaches } from "../../src/reach/index.ts";

describe("reaches()", () => {
  const list = parseReach([
    "registry.npmjs.org:443",
    "*.corp.example",
    "*.cdn.example:8443",
    "Bücher.example.",
    "127.0.0.1:9000",
    "[::1]:9000",
    "[2001:0db8:0:0::1]",
    "10.0.0.5",
  ]);
  test.each([
    ["registry.npmjs.org", 443],
    ["REGISTRY.npmjs.ORG.", 443],
    ["a.corp.example", 1],
    ["a.b.corp.example", 65_535],
    ["x.cdn.example", 8443],
    ["xn--bcher-kva.example", 80],
    ["127.0.0.1", 9000],
    ["[::1]", 9000],
    ["[0:0:0:0:0:0:0:1]", 9000],
    ["::1", 9000],
    ["[2001:db8::1]", 5432],
    ["10.0.0.5", 22],
  ])("reaches() takes %s port %d, which is listed", (host, port) => {
    expect(reaches(list, host, port)).toBe(true);
  });

  test.each([
    ["registry.npmjs.org", 80],
    ["evil.registry.npmjs.org", 443],
    ["registry.npmjs.org.evil.example", 443],
    ["corp.example", 443],
    [".corp.example", 443],
    ["evilcorp.example", 443],
    ["corp.example.evil.example", 443],
    ["x.cdn.example", 443],
    ["127.0.0.1", 9001],
    ["127.0.0.2", 9000],
    ["127.1", 9000],
    ["[::ffff:127.0.0.1]", 9000],
    ["[::2]", 9000],
    ["10.0.0.50", 22],
    ["", 443],
  ])("reaches() refuses %p port %d, which is not", (host, port) => {
    expect(reaches(list, host, port)).toBe(false);
  });

  test("reaches() refuses everything for a list without entries", () => {
    expect(reaches(parseReach([]), "example.com", 443)).toBe(false);
  });
});

test("listsAddress() takes addresses that are listed, and no names", () => {
  const list = parseReach(["localhost:9000", "*.example", "127.0.0.1:9000", "[::1]"]);
  expect(listsAddress(list, "127.0.0.1", 9000)).toBe(true);
  expect(listsAddress(list, "::1", 1)).toBe(true);
  expect(listsAddress(list, "127.0.0.1", 9001)).toBe(false);
  expect(listsAddress(list, "localhost", 9000)).toBe(false);
});

describe("parseReach()", () => {
  test.each([
    "",
    " ",
    "*",
    "*.",
    "*.:443",
    "**.example.com",
    "*example.com",
    "a.*.example",
    "example.com*",
    "https://example.com",
    "example.com/path",
    "user@example.com",
    "example.com:",
    "example.com:0",
    "example.com:65536",
    "example.com:+80",
    "example.com:443:443",
    "example..com",
    ".example.com",
    "-a.example",
    "exa mple.com",
    "example.com\n",
    "example.com\0",
    "exa%6dple.com",
    "example.com#x",
    "example.com\\x",
    "::1",
    "[::1",
    "[::1]9000",
    "[127.0.0.1]",
    "[fe80::1%eth0]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::]",
    "0.0.0.0",
    "0177.0.0.1",
    "127.1",
    "127.0.0.256",
    "127.0.0.01",
    "2130706433",
    "0x7f.1",
    "0x7f000001",
    "a.1",
    "169.254.169.254",
    "[fd00:ec2::254]:80",
    `${"a".repeat(64)}.example`,
    `${"a.".repeat(130)}example`,
  ])("parseReach() refuses %p", (entry) => {
    const failure = refusal([entry]);
    expect(failure.code).toBe("invalid_input");
    expect(failure.message).toStartWith("Cannot reach ");
  });

  test("parseReach() takes at most 256 entries", async () => {
    const many = Array.from({ length: 257 }, (_, at) => `h${at}.example`);
    expect(parseReach(many.slice(1)).entries).toHaveLength(256);
    expect(refusal(many).code).toBe("invalid_input");
  });
});

function refusal(entries: readonly string[]): Failure {
  try {
    parseReach(entries);
  } catch (thrown) {
    return thrown as Failure;
  }
  throw new Error("it was taken");
}
