/**
 * The looks of the screen by what is shown, as codes of SGR. No look says anything that a sign does not say too, so that all of
 * them can be left out: `NO_COLOR` leaves bold, dim and reverse alone.
 */
export type Style = keyof typeof MONO;

export type Theme = Readonly<Record<Style, string>>;

export const THEME_NAMES = ["dark", "light", "contrast"] as const;

export type ThemeName = (typeof THEME_NAMES)[number];

/** @param colors how many the terminal has: 0, 16 or more */
export function themeOf(name: ThemeName, colors: number): Theme {
  if (colors === 0) return MONO;
  if (name === "contrast") return CONTRAST;
  const few = name === "light" ? FEW_LIGHT : FEW_DARK;
  return colors <= 16 ? few : { ...few, ...(name === "light" ? MANY_LIGHT : MANY_DARK) };
}

/** @param noColor `NO_COLOR`: set and not empty, https://no-color.org. @param depth `COLORTERM`. @param terminal `TERM` */
export function colorsOf(noColor: string | undefined, depth: string | undefined, terminal = ""): number {
  if (noColor || terminal === "dumb") return 0;
  if (/truecolor|24bit/i.test(depth ?? "") || /256color|direct|kitty|ghostty|alacritty/.test(terminal)) return 256;
  return 16;
}

/** The background that the terminal says it has, by the last number of `COLORFGBG`; dark where it says nothing. */
export function themeOfTerminal(colorFgBg: string | undefined): ThemeName {
  const background = Number(/;(\d+)$/.exec(colorFgBg ?? "")?.[1] ?? 0);
  return background === 7 || (background >= 9 && background <= 15) ? "light" : "dark";
}

const MONO = {
  plain: "",
  dim: "2",
  title: "1",
  bar: "7",
  file: "1;4",
  hunk: "1",
  added: "",
  removed: "",
  addedWord: "1;4",
  removedWord: "1;4",
  sign: "2",
  out: "2",
  cursor: "1",
  warning: "1;7",
  comment: "3",
  key: "1",
} as const;

const FEW_DARK: Theme = {
  ...MONO,
  file: "1",
  hunk: "36",
  added: "32",
  removed: "31",
  addedWord: "32;7",
  removedWord: "31;7",
  cursor: "1;33",
  warning: "1;33",
  comment: "35",
};
const FEW_LIGHT: Theme = { ...FEW_DARK, hunk: "34", cursor: "1;34", warning: "1;31" };
/** Bright on black and nothing dim. */
const CONTRAST: Theme = {
  ...FEW_DARK,
  dim: "",
  sign: "1",
  out: "9",
  hunk: "1;96",
  added: "1;92",
  removed: "1;91",
  addedWord: "1;92;7",
  removedWord: "1;91;7",
  cursor: "1;93",
  comment: "1;95",
};
const MANY_DARK: Partial<Theme> = {
  added: "38;5;114",
  removed: "38;5;210",
  addedWord: "38;5;231;48;5;28",
  removedWord: "38;5;231;48;5;124",
  hunk: "38;5;80",
  comment: "38;5;183",
};
const MANY_LIGHT: Partial<Theme> = {
  added: "38;5;22",
  removed: "38;5;124",
  addedWord: "38;5;16;48;5;157",
  removedWord: "38;5;16;48;5;217",
  hunk: "38;5;25",
  comment: "38;5;90",
};
