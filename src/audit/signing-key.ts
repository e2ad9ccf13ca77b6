/**
 * The Ed25519 key of one state folder, made at the first start. It signs the heads of the record. Whoever holds it can
 * write a record of their own, which is why SECURITY.md says to ship checkpoints elsewhere.
 *
 * Invariant: it is made by the first segment, when that is there. A key without any segment means that they were removed,
 * so nothing else may make one.
 */
import type * as nodeCrypto from "node:crypto";
import { hasKey, loadKey } from "../state/index.ts";

export interface SigningKey {
  sign(text: string): string;
  /** PEM, for those who check elsewhere. */
  readonly publicKey: string;
}

/** Loaded when the first line is signed: it takes longer than all else that a start loads. */
function crypto(): typeof nodeCrypto {
  return process.getBuiltinModule("node:crypto");
}

const NAME = "audit.pem";

/** Whether a record was ever begun. */
export function hasSigningKey(folder: string): boolean {
  return hasKey(folder, NAME);
}

/** Made when there is none. */
export function openSigningKey(folder: string): SigningKey {
  const pem = loadKey(folder, NAME, makeKey);
  let key: nodeCrypto.KeyObject | undefined;
  const own = (): nodeCrypto.KeyObject => (key ??= crypto().createPrivateKey(pem));
  return {
    sign: (text) => crypto().sign(null, Buffer.from(text), own()).toString("base64"),
    get publicKey() {
      return crypto().createPublicKey(own()).export({ type: "spki", format: "pem" });
    },
  };
}

function makeKey(): string {
  return crypto().generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" });
}

export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    const { createPublicKey, verify } = crypto();
    return verify(null, Buffer.from(text), createPublicKey(publicKey), Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
}
