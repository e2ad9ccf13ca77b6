/**
 * What every dialect's descriptions say of our rules, in the same words.
 */
export const PROPOSED =
  "The answer says whether the change was made, or is proposed with its diff and waits for approval; do not repeat a proposed change.";
export const READ_FIRST = "Read the file before you change it.";
export const CUT = "Long answers are cut; the note at the end gives the next call.";
export const EXACT = "It must occur exactly once, unless every occurrence is meant.";
export const SHELL =
  "Runs a bash command line inside the roots, without a network and without standard input. Lines that only read run at once; others are proposed and wait for approval. Long output is cut in the middle, and the note says where all of it can be read.";
export const PATH = "The file. Relative to the first root, or absolute inside a root.";
export const DIRECTORY = "The directory. Default: the first root.";
