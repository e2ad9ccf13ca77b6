/**
 * Whether a file that is written in place holds the old content, the new one, or what a write that died on its way makes of
 * both; anything else somebody else wrote. A disk writes whole sectors, in any order, and the file is cut last.
 */
const SECTOR_BYTES = 512;

export function isOwnMixture(now: Uint8Array, before: Uint8Array, after: Uint8Array): boolean {
  const [shorter, longer] = before.length < after.length ? [before, after] : [after, before];
  if (now.length < shorter.length || now.length > longer.length) return false;
  const states = [overlaid(after, before), overlaid(before, after)];
  for (let at = 0; at < now.length; at += SECTOR_BYTES) {
    const sector = now.subarray(at, at + SECTOR_BYTES);
    const isOurs = states.some((one) => Buffer.compare(one.subarray(at, at + sector.length), sector) === 0);
    if (!isOurs) return false;
  }
  return true;
}

/** Written over the other, which is not cut yet. */
function overlaid(top: Uint8Array, below: Uint8Array): Uint8Array {
  return top.length >= below.length ? top : Buffer.concat([top, below.subarray(top.length)]);
}
