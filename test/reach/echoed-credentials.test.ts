/**
 * Answers that send a credential back in another spelling: as JSON, HTML, an address, base64 or UTF-16 write it. Whoever reads
 * such an answer would have it in clear.
 */
import { describe, expect, test } from "bun:test";
import { withoutCredential } from "../../src/reach/broker/credential/without-credential.ts";
import type * as quoted from "../../src/reach/broker/credential/quoted-secrets.ts";
import { expectGrowth } from "../steps/count-steps.ts";
import { loadCounted } from "../steps/load-counted.ts";
import { brokerOf } from "./test-broker.ts";

const TOKEN = "tk/Zx9+QwErTy/UiOpAs12";
const PASSWORD = 'pä"ss\\wörd&<1>%41';
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");
const html = (text: string): string =>
  text.replaceAll(/[^a-z0-9]/gi, (sign) => `&#x${sign.charCodeAt(0).toString(16).toUpperCase()};`);
const decimal = (text: string): string => text.replaceAll(/[^a-z0-9]/gi, (sign) => `&#${sign.charCodeAt(0)};`);
const everySign = (text: string, write: (code: number) => string): string =>
  text.replaceAll(/./g, (sign) => write(sign.charCodeAt(0)));

const SPELLINGS: readonly [name: string, spell: (secret: string) => string][] = [
  ["as it is", (secret) => secret],
  ["JSON", json],
  ["JSON of PHP", (secret) => json(secret).replaceAll("/", String.raw`\/`)],
  ["JSON of .NET", (secret) => json(secret).replaceAll("+", String.raw`\u002B`)],
  ["JSON in JSON", (secret) => json(json(secret).replaceAll("/", String.raw`\/`))],
  [
    "escapes for every sign",
    (secret) => everySign(secret, (code) => String.raw`\u00${code.toString(16).padStart(2, "0")}`),
  ],
  ["HTML", html],
  ["HTML by decimal numbers", decimal],
  ["HTML in HTML", (secret) => html(secret).replaceAll("&", "&amp;")],
  ["HTML in JSON", (secret) => html(secret).replaceAll("&", String.raw`\u0026`)],
  ["names of HTML", (secret) => Bun.escapeHTML(secret).replaceAll("/", "&sol;").replaceAll("+", "&plus;")],
  ["an address", encodeURIComponent],
  [
    "an address in small letters",
    (secret) => encodeURIComponent(secret).replaceAll(/%../g, (hex) => hex.toLowerCase()),
  ],
  ["an address in an address", (secret) => encodeURIComponent(encodeURIComponent(secret))],
  ["a place where it may break", (secret) => `${html(secret.slice(0, 6))}<wbr>${html(secret.slice(6))}`],
  [
    "signs that are not seen",
    (secret) => `${html(secret.slice(0, 6))}&shy;${html(secret.slice(6, 8))}&#8203;${html(secret.slice(8))}`,
  ],
  ["a comment", (secret) => `${html(secret.slice(0, 6))}<!-- a -->${html(secret.slice(6))}`],
  ["base64", base64],
  ["base64 behind a name", (secret) => base64(`robot:${secret}`)],
  ["base64 behind another name", (secret) => base64(`robots:${secret}`)],
  ["base64 of a header in JSON", (secret) => json(base64(`Bearer ${secret} `)).replaceAll("/", String.raw`\/`)],
  ["base64 for addresses", (secret) => Buffer.from(secret, "utf8").toString("base64url")],
];

const CREDENTIAL = { hosts: [], headers: { Authorization: `Bearer ${TOKEN}`, "x-api-key": PASSWORD } };
const without = (body: Uint8Array): Buffer => Buffer.from(withoutCredential(CREDENTIAL, { headers: {}, body }).body);
const around = (text: string): string => `<p title="x%2Fy\\n">a &amp; ä:${text} </p><br>{"a":"\\u0041\\/"}`;

describe("withoutCredential()", () => {
  const cases = SPELLINGS.flatMap(([name, spell]) =>
    [TOKEN, PASSWORD].map((secret) => [name, secret, spell(secret)] as const),
  );

  test.each(cases)(
    "withoutCredential() finds a secret that is written as %s, and changes nothing else: %s",
    (name, _, text) => {
      const left = without(Buffer.from(around(text), "utf8")).toString("utf8");
      // Beside it, base64 holds a few bits of the secret and what is packed with it.
      const found = name.startsWith("base64") ? left.replace(/:[\w+/]*(\[secret:000000\])[\w+/]*=*/, ":$1") : left;
      expect(found).toBe(around("[secret:000000]"));
    },
  );

  test.each(SPELLINGS)(
    "withoutCredential() finds a secret in UTF-16 of either order that is written as %s",
    (_, spell) => {
      const bytes = Buffer.from(around(spell(TOKEN)), "utf16le");
      const little = without(bytes).toString("utf16le");
      const big = without(Buffer.from(bytes).swap16()).swap16().toString("utf16le");
      expect(little).toBe(big);
      expect(little).toContain("[secret:000000]");
      expect(little).not.toContain(TOKEN.slice(3));
    },
  );

  test("withoutCredential() finds a secret of any length, and nothing that only begins like one", () => {
    const long = Array.from({ length: 1500 }, (_, at) => (at * at + 7 * at).toString(36).at(-1)).join("/");
    const other = `${long.slice(0, -1)}!`;
    const answer = { headers: {}, body: Buffer.from(`${other} ${json(other)} ${html(long)} ${base64(long)}`) };
    const { body } = withoutCredential({ hosts: [], headers: { "x-api-key": long } }, answer);
    const text = Buffer.from(body).toString("latin1");
    expect(text.startsWith(`${other} ${json(other)} [secret:000000] [secret:000000]`)).toBe(true);
  });

  test.each([
    ["a part of a cookie", { Cookie: "theme=ordinary; session=SECRETsecret123" }, "SECRETsecret123"],
    ["a part of a header", { Authorization: 'Token token="SECRETsecret123", realm="ordinary"' }, "SECRETsecret123"],
    ["a key behind a scheme with a hyphen", { Authorization: "Api-Key SECRETsecret123" }, "SECRETsecret123"],
    ["a key in the place of the user", { Authorization: `Basic ${btoa("SECRETsecret123:")}` }, "SECRETsecret123"],
    ["backslashes in a row", { "x-api-key": String.raw`abc\\\\\\Kdef` }, String.raw`abc\\\\\\Kdef`],
  ] as const)("withoutCredential() finds %s", (_, headers, secret) => {
    const body = Buffer.from(JSON.stringify({ is: secret, theme: "ordinary" }), "utf8");
    const left = withoutCredential({ hosts: [], headers }, { headers: {}, body }).body;
    expect(Buffer.from(left).toString("utf8")).toBe('{"is":"[secret:000000]","theme":"ordinary"}');
  });

  test("withoutCredential() keeps every byte of what has no secret", () => {
    const bytes = Buffer.from(Array.from({ length: 4099 }, (_, at) => (at * 31 + (at >> 3)) % 256));
    expect(without(bytes)).toEqual(bytes);
  });

  test("the time to look through a body grows with the body and no faster, whatever it is full of", async () => {
    const { formsOf, withoutQuoted } = await loadCounted<typeof quoted>(
      "src/reach/broker/credential/quoted-secrets.ts",
    );
    for (const part of [
      "<",
      "<a",
      "<b>",
      "&amp;",
      "&#0",
      "\\",
      "%25",
      "\\u0026amp;",
      "tk/Zx9&#43;",
      "a line of a page\n",
    ])
      expectGrowth({ size: 8000, mostGrowth: 2.1, mostPerUnit: 100 }, (size) => {
        const body = part.repeat(size / part.length);
        const forms = formsOf(TOKEN, (signs) => signs);
        return () => withoutQuoted(body, forms);
      });
    expectGrowth({ size: 8000, mostGrowth: 2.1, mostPerUnit: 100 }, (size) => {
      const forms = formsOf(`abcdefg${"\\".repeat(8)}K`, (signs) => signs);
      const body = "abcdefg".padEnd(size, "\\");
      return () => withoutQuoted(body, forms);
    });
  });
});

test("a broker looks for a credential in the whole of an answer and in its headers, however they are written", async () => {
  using echo = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () =>
      new Response(
        new ReadableStream({
          async start(pieces) {
            for (const sign of `You sent ${html(TOKEN)}.`) {
              pieces.enqueue(Buffer.from(sign));
              // Each sign is a piece of its own on the way.
              await new Promise(setImmediate);
            }
            pieces.close();
          },
        }),
        { status: 302, headers: { location: `/?token=${encodeURIComponent(TOKEN)}&b=%2F` } },
      ),
  });
  const hosts = [`127.0.0.1:${echo.port}`];
  const key = { hosts, headers: { Authorization: `Bearer ${TOKEN}` } };
  const broker = brokerOf({ pack: { reach: hosts, credentials: { key } } });
  expect(await broker.get(`http://${hosts.join("")}/`, { credential: "key" })).toMatchObject({
    body: btoa("You sent [secret:000000]."),
    headers: { location: "/?token=[secret:000000]&b=%2F" },
  });
});
