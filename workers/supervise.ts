/**
 * Worker entry: the thread of a keeper that makes the connections of its program. Nothing here but the first message.
 */
import { supervise, type SuperviseInput } from "../src/fence/index.ts";

declare const self: { onmessage: ((event: MessageEvent<SuperviseInput>) => void) | null };

self.onmessage = ({ data }) => supervise(data);
