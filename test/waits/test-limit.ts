/**
 * The limit of one test, for all of them; `bunfig.toml` loads it before each file. Bun 1.4.5 passes over a `timeout` in
 * `bunfig.toml`, and its own five seconds are what a slow machine needs for a right program.
 *
 * Invariant: above the limit of one wait (`until.ts`), so that the wait is what fails, by name. The gate calls ten minutes
 * without a test ending a hang too.
 */
import { setDefaultTimeout } from "bun:test";

setDefaultTimeout(8 * 60_000);
