/**
 * A page with secrets in every place of it that is read, in the forms that issuers document. They are put together here, so that
 * nothing which looks for secrets in sources finds one.
 */
const SIGNS = "a1B2c3D4e5F6g7H8i9J0".repeat(5);

export const SECRETS: readonly string[] = [
  ["ghp", SIGNS.slice(0, 36)].join("_"),
  ["github", "pat", SIGNS.slice(0, 22), SIGNS.slice(0, 59)].join("_"),
  ["sk", "live", SIGNS.slice(0, 24)].join("_"),
  ["npm", SIGNS.slice(0, 36)].join("_"),
  ["hf", SIGNS.slice(0, 34)].join("_"),
  ["glpat", `${SIGNS.slice(0, 10)}_${SIGNS.slice(0, 9)}`].join("-"),
  ["xoxb", "123456789012", SIGNS.slice(0, 24)].join("-"),
  [`eyJ${SIGNS.slice(0, 20)}_x`, `eyJ_${SIGNS.slice(0, 20)}`, `_${SIGNS.slice(0, 12)}_${SIGNS.slice(0, 12)}`].join("."),
];

const WORDS = "Words of an article that is long enough to be the main content of its page. ".repeat(5);

export const SECRET_PAGE: string = `<!doctype html><html><head><title>About ${SECRETS[0]}</title></head><body><article><h1>Keys</h1><p>${WORDS}</p>
${SECRETS.map((one) => `<p>in a text ${one} and <a href="/target/${one}">in a link ${one}</a>, with a_b*c*</p>`).join("\n")}
<p>api_key: ${SIGNS.slice(0, 30)}_x and https://user:pass_w0rd*@host.test/ secret_key = ${SIGNS.slice(0, 20)}</p>
<p><a href="https://keys.test/${SECRETS[0]}">https://keys.test/${SECRETS[0]}</a></p>
<table><tr><th>in a table</th></tr><tr><td>${SECRETS[2]}</td></tr></table>
<p>Inline <code>${SECRETS[3]}</code></p><pre><code>${SECRETS.join("\n")}</code></pre><pre>${SECRETS[1]}</pre></article></body></html>`;

/** What of a secret stands in a text, with or without escapes. */
export function foundIn(text: string): readonly string[] {
  const plain = text.replaceAll("\\", "").replaceAll(/%5f/gi, "_");
  return [SIGNS.slice(0, 9), "pass_w0rd"].filter((part) => plain.includes(part));
}
