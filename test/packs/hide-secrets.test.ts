/**
 * Secrets of a page whose signs are escaped: found, without taking the escapes of other lines, and in a bounded number of looks.
 */
import { expect, test } from "bun:test";
import { hideEscaped } from "../../src/packs/hide-secrets.ts";
import { createRedactor } from "../../src/policy/index.ts";

const TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
const redact = createRedactor(new Uint8Array(32));

/** @returns what is shown, and how often the rules were asked */
function hidden(text: string): { readonly text: string; readonly count: number; readonly looks: number } {
  let looks = 0;
  const shown = hideEscaped(text, (part) => {
    looks++;
    return redact(part);
  });
  return { ...shown, looks };
}

test("a line whose escapes hide a secret stands without them, and the other lines keep theirs", () => {
  const { text, count } = hidden(`a \\* b\na \\* ${TOKEN.replace("_", "\\_")}\n`);
  expect(text).toMatch(/^a \\\* b\na \* \[secret:\w+\]\n$/);
  expect(count).toBe(1);
});

test("a text of tens of thousands of escaped secrets is looked at a few times, and none of them is shown", () => {
  const { text, count, looks } = hidden(`${TOKEN.replace("_", "\\_")}\n`.repeat(20_000));
  expect(text).not.toContain("16C7");
  expect(count).toBe(20_000);
  expect(looks).toBeLessThan(10);
});

test.each([0, 5001])("an escape that is escaped itself hides no secret in a text with %i lines more", (more) => {
  const twice = [TOKEN.replace("_", "%255F"), TOKEN.replace("_", "\\\\\\_")].join(" ");
  const { text } = hidden(`${TOKEN.replace("_", "\\_")} ${twice}\n${"plain\n".repeat(more)}`);
  expect(text).not.toContain("16C7");
});
