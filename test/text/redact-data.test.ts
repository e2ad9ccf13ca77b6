/** Secrets in data: behind line ends, in keys without an end, and where the name of a member tells. */
import { describe, expect, test } from "bun:test";
import { readRemoteResult, remoteMembers, resultMembers } from "../../src/contract/index.ts";
import { createRedactor } from "../../src/policy/index.ts";
import { redactData } from "../../src/text/index.ts";

const TOKEN = `ghp_${"a1B2c3D4e5".repeat(4)}`.slice(0, 40);
const BEGUN_KEY = ["-----BEGIN RSA", "PRIVATE KEY-----\nMIIEpAIBAAKCAQEA"].join(" ");
const redact = createRedactor(Buffer.alloc(32));

describe.each([
  ["a token behind a line end", { lines: `first\n${TOKEN}\nlast` }],
  ["a token behind a quote", { said: `he said "${TOKEN}"` }],
  ["a token behind a tab", { row: `name\t${TOKEN}` }],
  ["a key without an end, in front of other members", { key: BEGUN_KEY, more: ["kept", { deep: "kept" }] }],
])("%s", (_, data) => {
  test("a secret is replaced, and the data stays data", () => {
    const { json, count } = redactData(data, redact);
    expect(count).toBe(1);
    expect(json).toMatch(/\[secret:[0-9a-f]{6}\]/);
    expect(json).not.toContain(TOKEN);
    expect(json).not.toContain("MIIEpAIB");
    expect(Object.keys(JSON.parse(json) as object)).toEqual(Object.keys(data));
  });

  test("no structured answer has it, of ours or of another server", () => {
    const ours = resultMembers({ text: "", structured: data }, "structured", redact);
    const remote = remoteMembers(readRemoteResult({ structuredContent: data }, "t"), "structured", redact);
    for (const members of [ours, remote]) {
      expect(members).not.toContain(TOKEN);
      expect(members).not.toContain("MIIEpAIB");
      expect(JSON.parse(`{${members}}`)).toHaveProperty("structuredContent");
    }
  });
});

test("data without secrets is what JSON makes of it", () => {
  const data = { text: 'a\n"b"\\', list: [1, null, true, "c"] };
  expect(redactData(data, redact)).toEqual({ json: JSON.stringify(data), count: 0 });
});

test("the name of a member tells that its value is a secret", () => {
  const { json, count } = redactData({ password: "x9Kf2mQ7vLw4pT8zR3" }, redact);
  expect(json).toMatch(/^\{"password":"\[secret:[0-9a-f]{6}\]"\}$/);
  expect(count).toBe(1);
});
