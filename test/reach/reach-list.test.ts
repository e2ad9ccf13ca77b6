/**
 * Lists of hosts: what an entry stands for, and which texts are no entries, because two programs would read them in two ways.
 */
import { describe, expect, test } from "bun:test";
import type { Failure } from "../../src/base/index.ts";
import { listsAddress, parseReach, reaches, sharedReach } from "../../src/reach/index.ts";
import { fc } from "../property.ts";

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
    "[fd00:ec2::23]",
    "169.254.170.2:80",
    "100.100.100.200:80",
    "192.0.0.192",
    "[64:ff9b::a9fe:a9fe]:80",
    "[64:ff9b:1::a9fe:a9fe]",
    "[2002:a9fe:a9fe::]",
    "[2001:0:1::5601:5601]",
    "[::169.254.169.254]",
    "[::ffff:0:a9fe:a9fe]",
    `${"a".repeat(64)}.example`,
    `${"a.".repeat(130)}example`,
  ])("parseReach() refuses %p", (entry) => {
    const failure = refusal([entry]);
    expect(failure.code).toBe("invalid_input");
    expect(failure.message).toStartWith("Cannot reach ");
  });

  test.each(["[64:ff9b::a00:1]", "[2002:a00:1::]", "[2001:0:1::1]", "169.254.169.253", "[::1]", "[fd00:ec2::255]"])(
    "parseReach() takes %s, which leads to no metadata service",
    (entry) => expect(parseReach([entry]).entries).toHaveLength(1),
  );

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

describe("sharedReach()", () => {
  test.each([
    [["a.test:80"], ["a.test"], ["a.test:80"]],
    [["*.test"], ["*.b.test:443", "A.TEST."], ["*.b.test:443", "a.test"]],
    [
      ["[::1]", "10.0.0.5:22"],
      ["[0:0::1]:9000", "10.0.0.5"],
      ["[::1]:9000", "10.0.0.5:22"],
    ],
    [["*.test:80"], ["test:80", "*.test:81", "10.0.0.5"], []],
    [[], ["a.test"], []],
  ])("sharedReach() of %j and %j is %j", (one, other, shared) => {
    expect(sharedReach(parseReach(one), parseReach(other))).toEqual(shared);
    expect(sharedReach(parseReach(other), parseReach(one)).toSorted()).toEqual(shared.toSorted());
  });

  test("sharedReach() reaches what both lists reach, and nothing else", () => {
    const host = fc.constantFrom("test", "a.test", "b.a.test", "xa.test", "10.0.0.5", "[::1]");
    const port = fc.constantFrom(80, 443);
    const entry = fc
      .tuple(fc.oneof(host, fc.constantFrom("*.test", "*.a.test")), fc.option(port))
      .map(([name, number]) => (number === null ? name : `${name}:${number}`));
    const list = fc.array(entry, { maxLength: 4 }).map(parseReach);
    fc.assert(
      fc.property(list, list, host, port, (one, other, name, number) => {
        const shared = parseReach(sharedReach(one, other));
        expect(reaches(shared, name, number)).toBe(reaches(one, name, number) && reaches(other, name, number));
      }),
      { numRuns: 1000 },
    );
  });
});
