/**
 * The twelve searches, each as our arguments and as ripgrep's flags. Patterns are those of ripgrep's own benchmark on the
 * kernel where it has one (https://blog.burntsushi.net/ripgrep/#linux-benchmark), so nobody chose them for us.
 */
export interface Query {
  readonly name: string;
  /** Arguments of the tool `grep`; path and output are added. */
  readonly args: { readonly pattern: string; readonly [flag: string]: unknown };
  /** Flags of ripgrep; the pattern is added. */
  readonly flags: readonly string[];
}

const ALTERNATION = "ERR_SYS|PME_TURN_OFF|LINK_REQ_RST|CFG_BME_EVT";
const INSENSITIVE = { case: "insensitive" };

/** Also what is measured where one search without a literal is enough. */
export const NO_LITERAL: Query = {
  name: "no literal",
  args: { pattern: String.raw`\w{5}\s+\w{5}\s+\w{5}\s+\w{5}\s+\w{5}` },
  flags: [],
};

export const RARE_LITERAL: Query = { name: "rare literal", args: { pattern: "PM_RESUME" }, flags: ["-F"] };

export const QUERIES: readonly Query[] = [
  RARE_LITERAL,
  { name: "common literal", args: { pattern: "return" }, flags: ["-F"] },
  { name: "literal -i", args: { pattern: "PM_RESUME", ...INSENSITIVE }, flags: ["-i"] },
  { name: "alternation", args: { pattern: ALTERNATION }, flags: [] },
  { name: "alternation -i", args: { pattern: ALTERNATION, ...INSENSITIVE }, flags: ["-i"] },
  { name: "suffix regex", args: { pattern: "[A-Z]+_RESUME" }, flags: [] },
  { name: "prefix regex", args: { pattern: "usb_[a-z]+_driver" }, flags: [] },
  { name: "word", args: { pattern: "PM_RESUME", word: true }, flags: ["-w"] },
  { name: "Unicode class", args: { pattern: String.raw`\p{Greek}` }, flags: [] },
  NO_LITERAL,
  {
    name: "multiline",
    args: { pattern: String.raw`static int __init \w+\(void\)\n\{`, multiline: true },
    flags: ["-U"],
  },
  { name: "invert", args: { pattern: "return", invert: true }, flags: ["-v"] },
];
