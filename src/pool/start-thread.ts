/**
 * A thread that is told one thing and then does nothing but that, until the process ends.
 */
import { workerUrl, type WorkerEntry } from "./worker-slot.ts";

/** @param onTrouble is called when it cannot be loaded, or throws */
export function startThread(entry: WorkerEntry, told: object, onTrouble: () => void): void {
  const worker = new Worker(workerUrl(entry).href, { name: entry });
  worker.unref();
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    onTrouble();
  });
  worker.postMessage(told);
}
