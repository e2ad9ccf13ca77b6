/**
 * A certificate authority of the tests' own and certificates of it, made by openssl.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface OwnAuthority extends Disposable {
  /** PEM. */
  readonly ca: string;
  readonly caFile: string;
  /** For these names and addresses: `DNS:a.test`, `IP:127.0.0.1`. */
  readonly issue: (...names: readonly string[]) => { readonly cert: string; readonly key: string };
}

export function createAuthority(): OwnAuthority {
  const folder = mkdtempSync(join(tmpdir(), "ringfence-ca-"));
  const at = (name: string): string => join(folder, name);
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl("req", "-x509", ...key, "-keyout", at("ca.key"), "-out", at("ca.pem"), "-days", "2", "-subj", "/CN=tests");
  let count = 0;
  return {
    ca: readFileSync(at("ca.pem"), "utf8"),
    caFile: at("ca.pem"),
    issue(...names) {
      const one = `c${++count}`;
      writeFileSync(at(`${one}.ext`), `subjectAltName=${names.join(",")}\n`);
      openssl("req", ...key, "-keyout", at(`${one}.key`), "-out", at(`${one}.csr`), "-subj", "/CN=test");
      const sign = ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-CAcreateserial", "-days", "2"];
      openssl("x509", "-req", "-in", at(`${one}.csr`), ...sign, "-extfile", at(`${one}.ext`), "-out", at(`${one}.pem`));
      return { cert: readFileSync(at(`${one}.pem`), "utf8"), key: readFileSync(at(`${one}.key`), "utf8") };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function openssl(...args: readonly string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(["openssl", ...args]);
  if (exitCode !== 0) throw new Error(stderr.toString());
}
