/**
 * The page, from its start to its end: it finds its way in, follows what waits, and draws what the store holds. Everything that
 * somebody else wrote reaches the page as text nodes; no markup is ever made of a string.
 */
import { render } from "preact";
import { findWayIn, followQueue } from "./ask-server.ts";
import { App } from "./app.tsx";
import { touchGuard } from "./guard.ts";
import { onKey } from "./keys.ts";
import { Store } from "./store.ts";

const AGAIN_MS = 1000;

let isDrawn = true;
const draw = (): void => {
  isDrawn = true;
  render(<App store={store} />, document.body);
};
const store = new Store(() => {
  if (!isDrawn) return;
  isDrawn = false;
  queueMicrotask(draw);
});

document.addEventListener("keydown", (event) => onKey(event, store));
addEventListener("focus", touchGuard);
document.addEventListener("visibilitychange", touchGuard);
void follow();

async function follow(): Promise<void> {
  let isIn = await findWayIn();
  draw();
  while (isIn) {
    isIn = await followQueue((queue) => store.takeQueue(queue));
    if (isIn) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
  store.isOver = true;
  store.changed();
}
