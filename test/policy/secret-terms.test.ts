/**
 * Which searches are asked about because they look for secrets, pinned by literal, and those of ordinary work that are not.
 */
import { expect, test } from "bun:test";
import type * as policy from "../../src/policy/index.ts";
import { looksForSecrets } from "../../src/policy/index.ts";
import { expectGrowth } from "../steps/count-steps.ts";
import { loadCounted } from "../steps/load-counted.ts";

test.each([
  "password",
  "Passwd",
  "api_key",
  "BEGIN RSA PRIVATE KEY",
  "AKIA[0-9A-Z]{16}",
  "secret\\s*=",
  "password:",
  "\\bcredentials\\b",
  "api[_-]?key",
  "pass(?:word|phrase)",
  "passw(or)?d",
  "token|secret|password",
  "OPENAI_API_KEY",
  "openai_api_key",
  "ANTHROPIC_API_KEY",
  "DB_PASSWORD",
  "STRIPE_SECRET",
  "(GITHUB|NPM)_TOKEN",
  "AWS_SECRET_ACCESS_KEY\\s*=",
  "client_secret",
  "access_token",
  "-----BEGIN",
  "-{5}BEGIN",
  "BEGIN RSA",
  "BEGIN OPENSSH",
  "BEGIN.RSA",
  "PRIVATE.KEY",
  "PRIVATE\\sKEY",
  "PRIVATE\\s+KEY",
  "PRIVATE.*KEY",
  "PRIVATE\\x20KEY",
  "PRIVATE[_ ]KEY",
  "AK[I]A",
  "A[KS]IA[0-9A-Z]{16}",
  "\\x41KIA",
  "passwor[d]=",
  "[Pp]assword",
  "\\w*password\\w*",
  "token=",
  "token\\s*=\\s*['\"][^'\"]+",
  "pwd=",
  "Authorization: Bearer",
  "authorization:\\s*(bearer|basic)",
  "Bearer [A-Za-z0-9]+",
  "sk-[a-zA-Z0-9]{20,}",
  "sk-ant-",
  "xox[bp]-",
  "xox[a-z]-",
  "gh[pousr]_[A-Za-z0-9]{36}",
])("a search for %s asks", (pattern) => expect(looksForSecrets(pattern)).toBe(true));

test.each([
  ..."token parseToken parsePassword passwordField password_field keyboard secretary TODO key passport begin pwd".split(
    " ",
  ),
  ..."beginTransaction accessToken clientSecretary hash_password reset_password INVALID_PASSWORD MAX_TOKENS END_TOKEN".split(
    " ",
  ),
  ..."getApiKey Authorization Bearer sk-spinner task-list disk-[a-z]+ animation-begin private.*method tokens?".split(
    " ",
  ),
  "BEGIN TRANSACTION",
  "-----BEGIN CERTIFICATE",
  "token: string",
  "token ===",
  "token => {",
  "const token = parse",
  "function\\s+token",
])("a search for %s does not", (pattern) => expect(looksForSecrets(pattern)).toBe(false));

test("a search is looked at in time that grows with its pattern", async () => {
  const counted = await loadCounted<typeof policy>("src/policy/index.ts");
  const parts = [
    "[",
    "(?:",
    "\\b",
    "|",
    "password ",
    "token=",
    "A_",
    "-",
    "\\s*",
    "[a-z]",
    "[[:a:]",
    "PRIVATE.*",
    "x{1}",
    ".",
  ];
  for (const part of parts) {
    expectGrowth({ size: 1000, mostGrowth: 2.2, mostPerUnit: 2200 }, (size) => {
      const pattern = `${part.repeat(Math.ceil(size / part.length))}!`;
      return () => counted.looksForSecrets(pattern);
    });
  }
});
