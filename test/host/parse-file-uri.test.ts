/**
 * File URIs as clients write them, and those that could mean something else to somebody else.
 */
import { describe, expect, test } from "bun:test";
import { parseFileUri } from "../../src/host/narrow-roots.ts";

const usable: [uri: string, path: string][] = [
  ["file:///", "/"],
  ["file:///srv/project", "/srv/project"],
  ["file:///srv/project/", "/srv/project/"],
  ["FILE:///srv", "/srv"],
  ["file:/srv", "/srv"],
  ["file://localhost/srv", "/srv"],
  ["file://LocalHost/srv", "/srv"],
  ["file:///a%20b", "/a b"],
  ["file:///a b", "/a b"],
  ["file:///%C3%A4%c3%a4", "/ää"],
  ["file:///ä", "/ä"],
  ["file:///100%25", "/100%"],
  ["file:///%2541", "/%41"],
  ["file:///a%3Fb%23c", "/a?b#c"],
  ["file:///a+b", "/a+b"],
  ["file:///%FF", "/\udcff"],
  ["file:///%EF%BF%BD", "/\ufffd"],
  ["file:///...", "/..."],
];
describe.skipIf(process.platform === "win32")("usable", () => {
  test.each(usable)("parseFileUri() takes %s", (uri, path) => {
    expect(parseFileUri(uri)).toBe(path);
  });
});

const unusable = [
  "",
  "/srv",
  "srv",
  "file:",
  "file://",
  "file:srv",
  "file://srv",
  "file://host/srv",
  "file://127.0.0.1/srv",
  "file://user@localhost/srv",
  "file://localhost:80/srv",
  "file:////host/srv",
  "file:///a?b",
  "file:///a#b",
  "file:///a%",
  "file:///a%4",
  "file:///a%zz",
  "file:///a%00b",
  "file:///a\0b",
  "file:///a%2Fb",
  "file:///a%2fb",
  "file:///a/../b",
  "file:///a/%2e%2e/b",
  "file:///a/./b",
  "file:///a/.%2E",
  "file:///\ud800",
  " file:///a",
  "xfile:///a",
  "https:///a",
  "http://localhost/srv",
  "vscode-remote://file/srv",
  "untitled:///a",
];
test.each(unusable)("parseFileUri() refuses %j", (uri) => {
  expect(parseFileUri(uri)).toBeUndefined();
});
