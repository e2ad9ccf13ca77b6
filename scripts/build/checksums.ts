/**
 * The SHA256SUMS file, in the form that `sha256sum --check` reads: hash, two spaces, file name without a folder.
 */
import { basename } from "node:path";

/** One line for each file, sorted by name so that the file does not depend on the order of building. */
export async function checksumLines(paths: readonly string[]): Promise<string> {
  const sorted = [...paths].sort((a, b) => (basename(a) < basename(b) ? -1 : 1));
  const lines = await Promise.all(sorted.map(async (path) => `${await sha256(path)}  ${basename(path)}\n`));
  return lines.join("");
}

async function sha256(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hasher.update(chunk);
  return hasher.digest("hex");
}
