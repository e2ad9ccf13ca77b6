/**
 * Bytes that every match of a pattern holds, so that a window without them need not be shown to the engine: a search for
 * bytes runs at memory speed. `undefined` when the pattern has none; then every window is shown.
 *
 * The seam for better filters (alternations, case variants, rarity): they replace this function.
 */
import type { Hir } from "./hir.ts";

export function requiredLiteral(hir: Hir): Buffer | undefined {
  switch (hir.kind) {
    case "literal":
      return hir.bytes;
    case "repeat":
      return hir.min > 0 ? requiredLiteral(hir.sub) : undefined;
    case "concat": {
      const found = hir.subs.map(requiredLiteral).filter((literal) => literal !== undefined);
      return found.sort((a, b) => b.length - a.length)[0];
    }
    case "empty":
    case "class":
    case "look":
    case "choice":
    default:
      return undefined;
  }
}
