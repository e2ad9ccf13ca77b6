/** Names that people give to files of secrets, beside those of programs, and names of sources and pages that are nearly theirs. */
import { expect, test } from "bun:test";
import { createSecretRule } from "../../src/policy/index.ts";
import { DIRECTORIES, FILES, FILES_BELOW, secretNames } from "../../src/policy/secrets/secret-names.ts";
import { createRandom } from "../fuzz/wire-messages.ts";
import { sampleOf } from "./secret-samples.ts";

const rule = createSecretRule([]);
const isSecret = (path: string): boolean => rule(path, `/r/${path}`);

test.each([
  "prod.env",
  "deploy/staging.env",
  "passwords.txt",
  "Passwords.xlsx",
  "password.txt",
  "passwords.json",
  "private.asc",
  "gpg/ada-private-key.asc",
  "secring.pgp",
  "key.der",
  "tls/server_key.der",
  "private-key.der",
  "config/credentials.yml.enc",
  "config/credentials/production.yml.enc",
  "credentials.csv",
  "rootkey.csv",
  "ada_accessKeys.csv",
  "auth.json",
  "home/auth.json",
  "passwords.txt.bak",
])("a file that people keep secrets in is told by its name: %s", (path) => expect(isSecret(path)).toBe(true));

test.each([
  "example.env",
  "prod.example.env",
  "sample.env",
  "template-prod.env",
  "src/env.d.ts",
  "src/passwords.ts",
  "src/password.py",
  "docs/passwords.md",
  "app/views/passwords/new.html.erb",
  "lang/en/passwords.php",
  "public.asc",
  "KEYS.asc",
  "release.tar.gz.asc",
  "cert.der",
  "public-key.der",
  "rsa_pub_key.der",
  "monkey.der",
  "src/credentials.ts",
  "docs/credentials.md",
  "locales/en/auth.json",
  "public/locales/auth.json",
  "src/i18n/de/auth.json",
  "src/auth.ts",
  "oauth.json",
  "auth.schema.json",
])("createSecretRule() leaves readable what only sounds like a secret: %s", (path) =>
  expect(isSecret(path)).toBe(false),
);

test.each(["schema-registry.env", "distribution.env", "app/auth.json", "config/credentials.yml"])(
  "createSecretRule() closes what only begins like an example, or lies in no folder of words: %s",
  (path) => expect(isSecret(path)).toBe(true),
);

test.each([
  "versions.env",
  "a.example.env",
  "docs/auth.json",
  "tests/fixtures/auth.json",
  "public/locales/en/common/auth.json",
  "config/locales/credentials.yml",
])("createSecretRule() leaves readable what is an example, or words of a form: %s", (path) =>
  expect(isSecret(path)).toBe(false),
);

test("createSecretRule() closes every path that the names match, of 100,000 made from them", () => {
  const [wanted, missed] = [secretNames(), new Set<string>()];
  const { int, pick } = createRandom(1);
  const lists = [...DIRECTORIES, ...FILES, ...FILES_BELOW];
  let matched = 0;
  for (let made = 0; made < 100_000; made++) {
    const name =
      pick(["", "", "#", ".", "Copy of "]) + sampleOf(pick(lists), int) + pick(["", "", "~", ".bak", " (old)"]);
    const path = pick(["", "a/", "src/x y/"]) + name;
    if (!wanted.test(path)) continue;
    matched++;
    if (!isSecret(path) && !path.endsWith(".pub")) missed.add(path);
  }
  expect(matched).toBeGreaterThan(50_000);
  expect([...missed].slice(0, 20)).toEqual([]);
});
