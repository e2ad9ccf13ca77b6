/**
 * What can be said of a command line before it is read: characters that hide something from the person who looks at it,
 * or that other readers take in another way.
 */
import { askOpaque, deny, type Finding } from "./judgement.ts";

/** Nobody can read more; the kernel's limit for one argument is twice as much. */
const MAX_LENGTH = 65_536;
/** A person is asked about a longer list as a whole: what stands at its end is easily missed. */
export const MAX_COMMANDS = 40;
/** Nobody writes this many by hand, and what is compared with what would grow without end. */
export const MAX_READ_COMMANDS = 1000;

export function findSuspicious(text: string): Finding[] {
  const findings: Finding[] = [];
  if (text.trim() === "") findings.push(askOpaque("there is nothing to run"));
  if (text.length > MAX_LENGTH) findings.push(deny("it would run a line that is too long to be read"));
  if (text.includes("\0")) findings.push(askOpaque("it has a NUL, behind which some programs see nothing"));
  if (CONTROLS.test(text)) findings.push(askOpaque("it has characters that command a terminal"));
  if (INVISIBLE.test(text) || !text.isWellFormed())
    findings.push(askOpaque("it has characters that cannot be seen or that reorder the line"));
  if (/[ \t]{32}/.test(text) || /\n{16}/.test(text))
    findings.push(askOpaque("it has a run of blanks that may push a part out of view"));
  return findings;
}

const CONTROLS = /[\u0001-\u0008\u000b-\u001f\u007f-\u009f]/;
/** Marks of direction, joiners, fillers, tags, and blanks that are none to bash (Unicode TR #36, CVE-2021-42574). */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\p{Cf}|(?! )\p{Z}/u;
