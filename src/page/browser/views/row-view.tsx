/**
 * A row of a diff. What it shows is made of pieces that were computed elsewhere, each a text node; signs and colours are classes,
 * and everything that a colour says a sign says too.
 */
import type { JSX } from "preact";
import type { LaidRow } from "../../../review/index.ts";

const SIGNS = { same: " ", removed: "−", added: "+" } as const;

export function RowView({
  row,
  isAlone,
  side,
}: {
  readonly row: LaidRow | undefined;
  readonly isAlone: boolean;
  readonly side: number;
}): JSX.Element {
  if (!row) return <div class="row none" />;
  const { kind, old, new: now, pieces, isRest, isUnended } = row;
  const [before, after] = isRest ? ["", ""] : [String(old ?? ""), String(now ?? "")];
  return (
    <div class={`row ${kind}`}>
      {(isAlone || side === 0) && <span class="number">{before}</span>}
      {(isAlone || side === 1) && <span class="number">{after}</span>}
      <span class="sign">{isRest ? "↪" : SIGNS[kind]}</span>
      <code>
        {pieces.map((piece, at) => {
          const token = "token" in piece ? ` ${String(piece.token)}` : "";
          if (piece.kind === "plain" && token === "") return piece.text;
          const isTab = piece.text === "\t";
          return (
            <span key={at} class={`${isTab ? "tab" : piece.kind}${token}`}>
              {piece.text}
            </span>
          );
        })}
        {isUnended && <span class="sign"> (the file ends here, without a line feed)</span>}
      </code>
    </div>
  );
}
