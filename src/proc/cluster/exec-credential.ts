/**
 * What a plug-in of kubectl writes: an `ExecCredential` (client.authentication.k8s.io) with a token, a client's certificate, or
 * both. Nothing of a text that is none is repeated, because it may hold a secret.
 */
import type { ClusterAccess } from "../../reach/index.ts";
import { headerText, refusalsOf, type ClusterCredential } from "./read-kubeconfig.ts";

/** @throws Failure `denied` that names the command */
export function readExecCredential(text: string, access: ClusterAccess): ClusterCredential {
  const refused = refusalsOf(access);
  const { kind, status } = parsed(text);
  const {
    token,
    clientCertificateData: cert,
    clientKeyData: key,
  } = (status ?? {}) as Readonly<Record<string, unknown>>;
  const hasPair = typeof cert === "string" && typeof key === "string";
  if (kind !== "ExecCredential" || (typeof token !== "string" && !hasPair))
    throw refused(
      `its command ${access.exec ?? ""} wrote no ExecCredential with a token or a certificate`,
      "Run the command by hand: it has to write what kubectl expects of an exec plug-in, and nothing else, to its standard output.",
    );
  return {
    headers: typeof token === "string" ? { authorization: `Bearer ${headerText(token, "token", refused)}` } : {},
    tls: hasPair ? { cert, key } : {},
  };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
