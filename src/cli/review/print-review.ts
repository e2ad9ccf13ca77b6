/**
 * A review as lines of a terminal. Colour says nothing that a sign does not say too, so that it can be left out.
 */
import { nowMs } from "../../base/index.ts";
import type { Piece, ProposalReview, ReviewedFile, DiffRow, ShownHunk } from "../../review/index.ts";
import { TAB } from "../../review/index.ts";
import { escapeLine } from "../../text/index.ts";
import { formatAge } from "./format-age.ts";

/** Codes of SGR by what is shown. */
const SGR = { removed: "31", added: "32", word: "7", sign: "2", head: "1", hunk: "36" } as const;
const TAB_WIDTH = 8;
const SIGNS = { same: " ", removed: "-", added: "+" } as const;

export class ReviewPrinter {
  readonly #hasColor: boolean;

  constructor(hasColor: boolean) {
    this.#hasColor = hasColor;
  }

  /** What it is, where from, and what stands against it. */
  head({ summary, tool, risk, client, createdAt, expiresAt, label, warnings, problem }: ProposalReview): string[] {
    const age = formatAge(nowMs() - Date.parse(createdAt));
    const left = formatAge(Date.parse(expiresAt) - nowMs());
    const from = client === undefined ? "" : ` from ${escapeLine(client)}`;
    return [
      "",
      this.#paint("head", escapeLine(summary)),
      `${tool}, risk ${risk}${from}, ${age} old, expires in ${left}`,
      label,
      ...(problem === undefined ? [] : [`It cannot be applied now: ${escapeLine(problem)}`]),
      ...warnings.map((warning) => `Note: ${escapeLine(warning)}`),
    ];
  }

  file({ line }: ReviewedFile): string[] {
    return ["", this.#paint("head", line)];
  }

  /** @param places only these places of change, with all the context; default: all of the hunk */
  hunk({ number, rows, places: all }: ShownHunk, of: number, places: readonly string[] = all): string[] {
    const part = places.length < all.length ? `, place ${places.join(" and ")}` : "";
    const first = rows.find((row) => row.place !== undefined && places.includes(row.place)) ?? rows[0];
    const at = first?.new ?? first?.old ?? 0;
    return [
      this.#paint("hunk", `@@ hunk ${number} of ${of}${part}, line ${at} @@`),
      ...rows.flatMap((row) => this.#row(row, row.place === undefined || places.includes(row.place))),
    ];
  }

  /** A place that is decided apart is shown as context, with its signs. */
  #row({ kind, pieces, isUnended, old, new: now }: DiffRow, isOwn: boolean): string[] {
    const number = String(now ?? old ?? "").padStart(5);
    const style = kind === "same" || !isOwn ? undefined : kind;
    const sign = isOwn ? SIGNS[kind] : kind === "same" ? " " : "|";
    let column = 0;
    const text = pieces.map((piece) => {
      const shown = widen(piece, column);
      column += Bun.stringWidth(shown);
      const own = piece.kind === "plain" || !isOwn ? style : piece.kind;
      return own === undefined ? shown : this.#paint(own, shown, style);
    });
    const line = `${number} ${style ? this.#paint(style, sign) : sign} ${text.join("")}`;
    return isUnended ? [line, "        (the file ends here, without a line feed)"] : [line];
  }

  #paint(style: keyof typeof SGR, text: string, under?: keyof typeof SGR): string {
    if (!this.#hasColor || text === "") return text;
    const codes = under === undefined || under === style ? SGR[style] : `${SGR[under]};${SGR[style]}`;
    return `\u001b[${codes}m${text}\u001b[0m`;
  }
}

function widen({ text }: Piece, column: number): string {
  return text === TAB ? `→${" ".repeat(TAB_WIDTH - 1 - (column % TAB_WIDTH))}` : text;
}
