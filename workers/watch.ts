/**
 * Worker entry: the thread that watches the main thread. Nothing here but the first message.
 */
import { watchMain, type WatchInput } from "../src/watch/index.ts";

declare const self: { onmessage: ((event: MessageEvent<WatchInput>) => void) | null };

self.onmessage = ({ data }) => watchMain(data);
