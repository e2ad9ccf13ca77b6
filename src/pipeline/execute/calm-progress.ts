/**
 * What a remote tool says of its progress: passed on as readable lines, so few that nobody is kept busy by them.
 */
import type { Clock } from "../../base/index.ts";
import { sayProgress, readableText } from "../../text/index.ts";

type Report = (done: number, total: number | undefined, what: string) => void;

const EVERY_MS = 200;
const MAX_TEXT_BYTES = 300;

/** @param name said where the text is nothing */
export function calmProgress(report: Report | undefined, name: string, clock: Clock): Report {
  let notBefore = -Infinity;
  return (done, total, what) => {
    const now = clock.monotonicMs();
    if (now < notBefore || !Number.isFinite(done)) return;
    notBefore = now + EVERY_MS;
    const words = readableText(what, MAX_TEXT_BYTES).replaceAll("\n", " ");
    report?.(done, total, words || `${name}: ${sayProgress(done, total, "")}`);
  };
}
