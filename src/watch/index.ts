/**
 * Watching a main thread from a thread of its own, so that a process whose main thread is stuck still ends.
 */
export { watchMain, type WatchInput } from "./watch-main.ts";
