/**
 * What counts as a secret, by name and by form, and what only looks like one. Values here are made up, and put together
 * from parts so that no scanner takes this file for a leak.
 */
import { describe, expect, test } from "bun:test";
import { createRedactor, createSecretRule, findPlaceholder, maySecretsBeIn } from "../../src/policy/index.ts";
import type * as policy from "../../src/policy/index.ts";
import { expectGrowth } from "../steps/count-steps.ts";
import { loadCounted } from "../steps/load-counted.ts";

const rule = createSecretRule(["config/.env", "/r/keys"]);
const isSecret = (path: string): boolean => rule(path, `/r/${path}`);

test.each([
  ".env",
  ".ENV",
  "app/.env.local",
  ".env.production",
  "id_rsa",
  "a/id_ed25519",
  "server.pem",
  "tls/private.key",
  "store.p12",
  ".ssh/config",
  "home/.gnupg/pubring.kbx",
  ".aws/credentials",
  ".kube/config",
  ".config/gcloud/access_tokens.db",
  ".docker/config.json",
  ".netrc",
  ".npmrc",
  ".git-credentials",
  ".bash_history",
  ".zsh_history",
  ".python_history",
  ".mozilla/firefox/x/logins.json",
  "Library/Keychains/login.keychain-db",
  ".config/google-chrome/Default/Cookies",
  "passwords.kdbx",
  ".env~",
  "#.env#",
  ".#.env",
  ".env.pub",
  ".env-prod",
  "id_rsa.old.2",
  "id_ed25519 (1)",
  "server.key.2024-01-01",
  ".netrc.20240101",
  ".ssh.bak/config",
  ".bash_history~",
  "prod.tfstate.backup",
  "x.tfvars.json",
  ".git/credentials",
  ".claude/.credentials.json",
  "stage.kubeconfig",
  "deploy/prod_kubeconfig.yml",
  "kubeconfig.yaml",
])("a file of secrets is told by its name: %s", (path) => expect(isSecret(path)).toBe(true));

test.each([
  ".env.example",
  ".env.sample",
  ".env.template",
  "id_rsa.pub",
  ".ssh/id_ed25519.pub",
  "src/env.ts",
  "key.ts",
  "monkey",
  ".environment",
  "docs/secrets.md",
  "src/secret.ts",
  ".gitignore",
  "history.md",
  "config/.env",
  "keys/a.pem",
  ".env.example.bak",
  ".ssh/id_ed25519-cert.pub",
  ".git/config",
  "key-2.txt",
  "a.bak",
  ".sops.yaml",
  "src/kubeconfig.ts",
  "docs/kubeconfig.md",
  "mykubeconfig",
])("%s is none", (path) => expect(isSecret(path)).toBe(false));

test("what a root lies in counts for what has several names, and for no other", () => {
  for (const [root, rel, wanted] of [
    ["/people/u/.config", "gh/hosts.yml", true],
    ["/people/u/.config/gh", "hosts.yml", true],
    ["/people/u/.docker", "config.json", true],
    ["/people/u/.local", "share/keyrings/x", true],
    ["/people/u/.config", "nvim/init.lua", false],
    ["/people/u/.ssh", "id_rsa.pub", false],
    ["/srv/kubeconfig", "main.go", false],
    ["/srv/a.key", "a.txt", false],
  ] as const)
    expect([root, rel, rule(rel, `${root}/${rel}`)]).toEqual([root, rel, wanted]);
});

const join = (...parts: string[]): string => parts.join("");
const SECRETS: readonly string[] = [
  join("AKIA", "IOSFODNN7EXAMPLE"),
  join("ghp", "_abcdefghijklmnopqrstuvwxyz0123456789"),
  join("glpat", "-abcdefghij0123456789"),
  join("xoxb", "-1234567890-abcdefghij"),
  join("sk_live", "_abcdefgh12345678"),
  join("AIza", "SyA1234567890abcdefghijklmnopqrstuv"),
  join("npm", "_abcdefghijklmnopqrstuvwxyz0123456789"),
  join("eyJhbGciOiJIUzI1NiJ9", ".eyJzdWIiOiIxMjM0NTY3ODkwIn0", ".dozjgNryP4J3jVmNHl0w5N"),
  join("-----BEGIN RSA ", "PRIVATE KEY-----\nMIIabc\n-----END RSA ", "PRIVATE KEY-----"),
];

const slashed = (text: string): string => text.replaceAll("/", "\\/");
const numbered = (text: string): string =>
  text.replaceAll(/./g, (sign) => `\\u00${sign.charCodeAt(0).toString(16).padStart(2, "0")}`);
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
/** With % in the place of the secret. */
const ESCAPED: readonly [name: string, secret: string, write: (secret: string) => string][] = [
  ['{"AWS_SECRET_ACCESS_KEY":"%"}', join("wJalrXUtnFEMI", "/K7MDENG/bPxRfiCYEXAMPLEKEY"), slashed],
  ['{"url":"postgres:\\/\\/admin:%@db.example\\/x"}', join("S3cr3t", "Passw0rd"), (secret) => secret],
  ['{"url":"https:\\/\\/%@git.example\\/x"}', join("k3Jx9QpLm2Zr8TvW", "a1B2"), (secret) => secret],
  ['{"authorization":"Bearer %"}', join("k3Jx9/QpLm2", "+Zr8TvW"), slashed],
  ['{"AccountKey":"%"}', join("k3Jx9QpLm2", "+Zr8TvW/a=="), (secret) => secret.replaceAll("+", "\\u002B")],
  ["a\\/b %, c\\/d", SECRETS[1] ?? "", numbered],
  ["a\\/b %, c\\/d", SECRETS[1] ?? "", (secret) => secret.replace("p_", "\\u0070_")],
  ['{"\\u0070assword":"%"}', "k3Jx9QpLm2Zr8TvW", (secret) => secret],
  ["{\\u0022password\\u0022:\\u0022%\\u0022}", "k3Jx9QpLm2Zr8TvW", (secret) => secret],
];

describe("values", () => {
  const redact = createRedactor(Buffer.alloc(32, 7));

  test.each(SECRETS)("a secret value is found: %s", (secret) => {
    const { text, count } = redact(`before ${secret} after`);
    expect(count).toBe(1);
    expect(text).toMatch(/^before \[secret:[0-9a-f]{6}\] after$/);
  });

  test("assigned values, and passwords in addresses, are found as secrets", () => {
    expect(redact('password = "k3Jx9QpLm2Zr8TvW"').text).toMatch(/^password = "\[secret:\w{6}\]"$/);
    expect(redact("api_key: k3Jx9QpLm2Zr8TvW").count).toBe(1);
    expect(redact('{\\"client_secret\\":\\"k3Jx9QpLm2Zr8TvW\\"}').count).toBe(1);
    expect(redact("postgres://user:k3Jx9Q@db/x").text).toMatch(/^postgres:\/\/user:\[secret:\w{6}\]@db\/x$/);
  });

  test("a value is found behind every sign that assigns it, with every quote and blank that may stand there", () => {
    const escapes = ["", "\\"];
    for (const sign of ["=", ":", ":=", "=>"])
      for (const blank of ["", " ", "\t", "\n   "])
        for (const quote of ["", '"', "'"])
          for (const escape of escapes) {
            const quoted = `${escape}${quote}`;
            const text = `ACCESS_KEY${quoted}${blank}${sign}${blank}${quoted}k3Jx9QpLm2Zr8TvW`;
            expect([text, redact(text).count]).toEqual([text, 1]);
          }
  });

  test.each(ESCAPED)(
    "a secret behind escapes of JSON is found, and no other sign changes: %s, %s",
    (around, secret, write) => {
      const [, known] = /^(\[secret:\w{6}\])$/.exec(redact(`password=${secret}`).text.slice("password=".length)) ?? [];
      for (const deeper of [(text: string) => text, inJson]) {
        const { text, count } = redact(deeper(around.replace("%", write(secret))));
        expect([text.replace(/\[secret:\w{6}\]/, "%"), count]).toEqual([deeper(around), 1]);
        if (known !== undefined) expect(text).toContain(known);
      }
    },
  );

  test("a text of JSON stays one, and keeps what is not secret, whatever escapes it has", () => {
    const token = SECRETS[1] ?? "";
    for (const run of ["", "\\", "\\\\", "\\\\\\"])
      for (const escape of ["/", "u002f", "n", "\\"]) {
        const json = JSON.stringify({
          text: `${run}${escape} ${run}/${numbered(token)}${run}/`,
          after: "\uffff\uffff",
        });
        const read = JSON.parse(redact(json).text) as { text: string; after: string };
        expect(read.text).toMatch(/\[secret:\w{6}\]/);
        expect(read.text).not.toContain("\\u0067");
        expect(read.after).toBe("\uffff\uffff");
      }
  });

  test.each([
    String.raw`const url = /^https?:\/\/([^:@]+):([^@]+)@/;`,
    String.raw`{"path":"a\/b","sign":"\u0041","wide":"\u4e2d","password":"$\u007bPASSWORD}"}`,
    String.raw`C:\/users\u00`,
    "const token = process.env.GITHUB_TOKEN;",
    "password: ${DB_PASSWORD}",
    "https://user:${PASSWORD}@host/",
    "const secretKeyNamesOfThisProgram = 1;",
    "tokenizer = AutoTokenizer.from_pretrained",
    "key: the_name_of_a_table_column",
    "sha256 89f19d54329ddd2389500a86ba059a58deb1e2ef340da3d4a26a6d148a6a1ea2",
    "nothing at all",
  ])("%s is none", (text) => expect(redact(text)).toEqual({ text, count: 0 }));

  test("the same secret has the same placeholder under one key, and another under another", () => {
    const [secret = ""] = SECRETS;
    const once = redact(secret).text;
    expect(redact(`x ${secret}`).text).toBe(`x ${once}`);
    expect(createRedactor(Buffer.alloc(32, 7))(secret).text).toBe(once);
    expect(createRedactor(Buffer.alloc(32, 8))(secret).text).not.toBe(once);
    expect(findPlaceholder(once)).toBe(once);
  });

  test("hostile text takes no longer than other text", async () => {
    const counted = await loadCounted<typeof policy>("src/policy/index.ts");
    for (const [mostPerUnit, textOf] of [
      [32, (size: number) => "An ordinary line, with some words in it.\n".repeat(size / 41)],
      // The sign lets the rule for assigned values look.
      [165, (size: number) => `${"password".repeat(size / 8)} =`],
      [12, (size: number) => `-----BEGIN PRIVATE KEY-----${"A".repeat(size)}`],
      // A token may begin behind every sign, so all their forms are tried there.
      [130, (size: number) => "://a:".repeat(size / 5)],
      [60, (size: number) => "\\".repeat(size) + "\\/"],
      [130, (size: number) => "\\/".repeat(size / 2)],
      [130, (size: number) => "\\u0041".repeat(size / 6)],
    ] as const) {
      expectGrowth({ size: 20_000, mostGrowth: 2.1, mostPerUnit }, (size) => {
        const body = textOf(size);
        const redacted = counted.createRedactor(Buffer.alloc(32, 7));
        return () => redacted(body);
      });
      redact(textOf(200_000));
    }
  });
});

test("a listing below a root that tells something misses no secret", () => {
  expect(maySecretsBeIn("", "/people/u/.config")("gh")).toBe(true);
  expect(maySecretsBeIn("share", "/people/u/.local/share")("keyrings")).toBe(true);
  expect(maySecretsBeIn("", "/people/u/AppData/Local/Google")("Chrome")).toBe(true);
});

test("a listing that asks by name alone misses no secret", () => {
  const words = [
    ..."a .env .env.example .env.local id_rsa id_rsa.pub x.pem .ssh .config gcloud .local share keyrings .env~ #x.pem# .ssh.bak gh.old".split(
      " ",
    ),
    ..."appdata local google chrome Roaming mozilla library keychains .docker config.json user_data shadow".split(" "),
    "application support",
    "user data",
    "default",
    "credentials.json",
    "secrets.yml",
    ".npmrc",
  ];
  const isAnySecret = createSecretRule([]);
  let secrets = 0;
  const check = (directory: string, depth: number): void => {
    const may = maySecretsBeIn(directory, `/r/${directory}`);
    for (const word of words) {
      const path = directory === "" ? word : `${directory}/${word}`;
      const found = isAnySecret(path, `/r/${path}`);
      if (found) secrets++;
      if (found && !may(word)) throw new Error(`${path} is secret`);
      if (!found && depth > 1) check(path, depth - 1);
    }
  };
  check("", 4);
  expect(secrets).toBeGreaterThan(1000);
  expect(maySecretsBeIn("src", "/r/src")("index.ts")).toBe(false);
});
