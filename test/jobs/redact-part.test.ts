/**
 * However a text with a secret is cut into parts, no part shows any of it, and nothing else is lost.
 */
import { expect, test } from "bun:test";
import { createRedactor, redactPart } from "../../src/policy/redact.ts";

const SECRET = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
const TEXT = `before the token\n${SECRET}\nafter it\n`;

test("a border within a secret shows neither half", () => {
  const redact = createRedactor(Buffer.alloc(32, 7));
  expect(redact(TEXT).count).toBe(1);
  for (let from = 0; from <= TEXT.length; from++) {
    for (let to = from; to <= TEXT.length; to++) {
      const part = redactPart(redact, TEXT.slice(0, from), TEXT.slice(from, to), TEXT.slice(to));
      for (let at = 0; at + 6 <= SECRET.length; at += 3) expect(part).not.toContain(SECRET.slice(at, at + 6));
    }
  }
});

test("what is no secret comes as it is", () => {
  const redact = createRedactor(Buffer.alloc(32, 7));
  const text = "line one\nline two\nline three\n";
  for (let from = 0; from <= text.length; from++)
    expect(redactPart(redact, text.slice(0, from), text.slice(from, from + 9), text.slice(from + 9))).toBe(
      text.slice(from, from + 9),
    );
});
