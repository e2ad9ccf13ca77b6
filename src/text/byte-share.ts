/**
 * How large a part of program text each byte is, roughly: enough to tell a rare needle from a common one. The order was
 * measured over the sources of the Linux kernel; a formula stands for the numbers.
 */
const BY_FREQUENCY =
  ' _et0\ni\tnrEsdTaASRCcoIfMDNLPlOupFm,x1G)(;U*h2g-#vBbH=3/>Kk.Vw4"yX85W}{6Y7&:<q9QZ[]z|+\\!%@j';
const SPACE_SHARE = 0.22;
const NEXT_SHARE = 0.04;
/** Bytes that are not named: control signs, and everything outside of ASCII. */
const RARE_SHARE = 0.0002;

let shares: readonly number[] | undefined;

export function byteShare(byte: number): number {
  // Not where a program starts, which loads this.
  shares ??= Array.from({ length: 256 }, (_, at) => {
    const rank = BY_FREQUENCY.indexOf(String.fromCharCode(at));
    if (rank < 0) return RARE_SHARE;
    return rank === 0 ? SPACE_SHARE : NEXT_SHARE * Math.exp(-rank / 25);
  });
  return shares[byte] ?? RARE_SHARE;
}
