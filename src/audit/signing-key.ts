/**
 * The Ed25519 key of one state folder, made at the first start. It signs the heads of the record. Whoever holds it can
 * write a record of their own, which is why SECURITY.md says to ship checkpoints elsewhere.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from "node:crypto";
import { loadKey } from "../state/index.ts";

export interface SigningKey {
  sign(text: string): string;
  /** PEM, for those who check elsewhere. */
  readonly publicKey: string;
}

export function openSigningKey(folder: string): SigningKey {
  const pem = loadKey(folder, "audit.pem", makeKey);
  let key: KeyObject | undefined;
  const own = (): KeyObject => (key ??= createPrivateKey(pem));
  return {
    sign: (text) => sign(null, Buffer.from(text), own()).toString("base64"),
    get publicKey() {
      return createPublicKey(own()).export({ type: "spki", format: "pem" });
    },
  };
}

function makeKey(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" });
}

export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    return verify(null, Buffer.from(text), createPublicKey(publicKey), Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
}
