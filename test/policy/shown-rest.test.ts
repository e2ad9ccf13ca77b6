/**
 * Which changes take a secret apart, and which only use words that a secret has too.
 */
import { expect, test } from "bun:test";
import { showsRest } from "../../src/policy/secrets/shown-rest.ts";

const TOKEN = `ghp_${"a1B2".repeat(9)}`;
const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${"MIIEpAIBAAKCAQEA1x9z".repeat(3)}\n-----END RSA PRIVATE KEY-----\n`;

test.each([
  ["without its beginning", `token ${TOKEN}\n`, `token ${TOKEN.slice(4)}\n`],
  ["without the first line of a key", KEY, KEY.slice(KEY.indexOf("\n") + 1)],
])("showsRest() sees a secret %s", (_, before, after) => {
  expect(showsRest(before, after)).toBe(true);
});

test.each([
  [
    "a word that is a password in an address",
    "`mongodb://user:password@localhost/app`\n",
    "reset the password by mail\n",
  ],
  ["the armour of another key", KEY, "-----BEGIN CERTIFICATE-----\n"],
  ["the example of a token", "Authorization: Bearer your-access-token\n", "put your-access-token there\n"],
])("showsRest() lets %s be written", (_, before, added) => {
  expect(showsRest(before, before + added)).toBe(false);
});
