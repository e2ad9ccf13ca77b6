/** The reading side of `promises.ts`: the handler of the reading workers of ringfence, with no job around it. */
import { createReadHandler } from "../../../src/jobs/index.ts";
import { workerTools } from "../../../src/packs/worker-tools.ts";
import { readingConfig, READING_JOB } from "../parts/reading.ts";

declare const self: {
  onmessage: ((event: MessageEvent<string>) => void) | null;
  postMessage(line: string): void;
};

self.onmessage = ({ data: root }) => {
  const handle = createReadHandler(JSON.stringify(readingConfig(root)), workerTools);
  const read = async (path: string): Promise<void> => {
    const { payload } = await handle("tool:read_file", JSON.stringify({ path }), READING_JOB);
    self.postMessage(payload);
  };
  self.onmessage = ({ data: path }) => void read(path);
};
