/**
 * Worker entry: the thread that watches the main thread. Nothing here but the first message, and its answer.
 */
import { watchMain, type WatchInput } from "../src/watch/index.ts";

declare const self: {
  onmessage: ((event: MessageEvent<WatchInput>) => void) | null;
  postMessage(watches: boolean): void;
};

self.onmessage = ({ data }) => watchMain(data, (watches) => self.postMessage(watches));
