/**
 * The limit of a test where `bun test` is given one file by hand: Bun reads no limit from `bunfig.toml`, and its own is
 * five seconds. A run of several files needs the flag (`--timeout=480000`), as the gate gives it: Bun forgets what is set
 * here with the first file.
 *
 * Usual mistake: a smaller limit for one test. A slow machine needs longer, and a right program fails then.
 */
import { setDefaultTimeout } from "bun:test";

/** Only a hang takes eight minutes; the gate calls ten minutes without a test ending a hang too. */
const TEST_LIMIT_MS: number = 8 * 60_000;

setDefaultTimeout(TEST_LIMIT_MS);
