/**
 * The cells of a terminal as a picture: rows with their codes of SGR, as `tmux capture-pane -e` gives them, become an SVG of
 * text. It needs no font but a monospaced one, and stays sharp.
 *
 * Usual mistake: to let a viewer measure the text. Every run says how wide it is, so that columns stand below each other.
 */
const [CELL_WIDTH, CELL_HEIGHT, PADDING] = [8.4, 18, 12];

export interface Palette {
  readonly text: string;
  readonly background: string;
  /** The 16 colours of a terminal. */
  readonly colors: readonly string[];
}

export const DARK: Palette = {
  text: "#d4d4d4",
  background: "#1e1e1e",
  colors:
    "#1e1e1e #f48771 #89d185 #e5c07b #75beff #c586c0 #4ec9b0 #d4d4d4 #808080 #f48771 #89d185 #e5c07b #75beff #c586c0 #4ec9b0 #ffffff".split(
      " ",
    ),
};

export const LIGHT: Palette = {
  text: "#24292f",
  background: "#ffffff",
  colors:
    "#24292f #cf222e #116329 #9a6700 #0550ae #8250df #1b7c83 #6e7781 #57606a #a40e26 #1a7f37 #633c01 #0969da #8250df #3192aa #8c959f".split(
      " ",
    ),
};

/** @param rows of a screen, each with its codes */
export function terminalSvg(rows: readonly string[], columns: number, palette: Palette, title: string): string {
  const [width, height] = [columns * CELL_WIDTH + 2 * PADDING, rows.length * CELL_HEIGHT + 2 * PADDING];
  const look: Look = { codes: new Set(), front: undefined, back: undefined };
  const drawn = rows.flatMap((row, at) => runsOf(row, look).map((run) => drawRun(run, at, palette)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${palette.background}"/>`,
    `<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
    ...drawn,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

interface Look {
  readonly codes: Set<number>;
  front: number | undefined;
  back: number | undefined;
}

interface Run {
  readonly text: string;
  readonly column: number;
  readonly look: Look;
}

function runsOf(row: string, look: Look): Run[] {
  const runs: Run[] = [];
  let column = 0;
  for (const [, code, text = ""] of row.matchAll(/\u001b\[([\d;]*)m|([^\u001b]+)/g)) {
    if (code !== undefined) apply(look, code.split(";").map(Number));
    if (text === "") continue;
    runs.push({ text, column, look: { ...look, codes: new Set(look.codes) } });
    column += Bun.stringWidth(text);
  }
  return runs;
}

function apply(look: Look, codes: readonly number[]): void {
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 0) {
      look.codes.clear();
      look.front = look.back = undefined;
    } else if (code < 10) look.codes.add(code);
    else if (code === 22) for (const one of [1, 2]) look.codes.delete(one);
    else if (code < 30) look.codes.delete(code - 20);
    else if (code === 38 || code === 48) {
      // Only the 256 colours are in use.
      if (code === 38) look.front = codes[at + 2];
      else look.back = codes[at + 2];
      at += 2;
    } else if (code === 39) look.front = undefined;
    else if (code === 49) look.back = undefined;
    else if (code < 38) look.front = code - 30;
    else if (code < 48) look.back = code - 40;
    else if (code >= 90 && code < 98) look.front = code - 82;
  }
}

function drawRun({ text, column, look }: Run, row: number, palette: Palette): string {
  const width = Bun.stringWidth(text) * CELL_WIDTH;
  const [x, y] = [PADDING + column * CELL_WIDTH, PADDING + row * CELL_HEIGHT];
  const isTurned = look.codes.has(7);
  const front = look.front === undefined ? palette.text : colorOf(look.front, palette);
  const back = look.back === undefined ? palette.background : colorOf(look.back, palette);
  const [ink, ground] = isTurned ? [back, front] : [front, back];
  const cell =
    ground === palette.background
      ? ""
      : `<rect x="${fixed(x)}" y="${y}" width="${fixed(width)}" height="${CELL_HEIGHT}" fill="${ground}"/>`;
  const style = [
    ...(look.codes.has(1) ? ['font-weight="bold"'] : []),
    ...(look.codes.has(3) ? ['font-style="italic"'] : []),
    ...(look.codes.has(4) ? ['text-decoration="underline"'] : []),
    ...(look.codes.has(2) ? ['opacity="0.6"'] : []),
  ];
  if (text.trim() === "") return cell;
  const place = `x="${fixed(x)}" y="${y + CELL_HEIGHT - 5}" textLength="${fixed(width)}" fill="${ink}"`;
  return `${cell}<text ${[place, ...style].join(" ")}>${escaped(text)}</text>`;
}

function colorOf(color: number, { colors }: Palette): string {
  if (color < 16) return colors[color] ?? "";
  if (color >= 232) return hex([0, 1, 2].map(() => 8 + (color - 232) * 10));
  const cube = color - 16;
  return hex([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((one) => (one === 0 ? 0 : 55 + one * 40)));
}

function hex(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function fixed(value: number): string {
  return String(Number(value.toFixed(1)));
}

/** Viewers of SVG join blanks, but never those that do not break. */
function escaped(text: string): string {
  return text.replaceAll(" ", "\u00a0").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
