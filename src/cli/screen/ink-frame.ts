/**
 * The one place that loads Ink: a frame of rows on the alternate screen, of which only what changed is written. It is loaded by
 * a review on a full screen, and by nothing else.
 *
 * Ink reads no key here (`terminal-input.ts` does), because it does not say which keys came together.
 */
import { Box, render, Text, useApp } from "ink";
import { createElement, type ReactElement } from "react";

export interface InkFrame {
  draw(rows: readonly string[]): void;
  /** Gives the terminal away while the work runs, and draws everything anew after it. */
  suspend(work: () => Promise<void>): Promise<void>;
  /** Puts the terminal back as it was. */
  close(): Promise<void>;
}

/** A key is on the screen soon, and a burst of keys is drawn once. */
const MAX_FPS = 60;

export function openInkFrame({ isSpoken }: { readonly isSpoken: boolean }): InkFrame {
  const app: { suspend?: (work: () => Promise<void>) => Promise<void> } = {};
  const view = (rows: readonly string[]): ReactElement => createElement(FrameView, { rows, app });
  const instance = render(view([]), {
    alternateScreen: !isSpoken,
    incrementalRendering: !isSpoken,
    isScreenReaderEnabled: isSpoken,
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: MAX_FPS,
  });
  return {
    draw: (rows) => instance.rerender(view(rows)),
    suspend: async (work) => await (app.suspend ?? runAlone)(work),
    async close() {
      instance.unmount();
      await instance.waitUntilExit();
    },
  };
}

interface FrameProps {
  readonly rows: readonly string[];
  readonly app: { suspend?: (work: () => Promise<void>) => Promise<void> };
}

function FrameView({ rows, app }: FrameProps): ReactElement {
  const { suspendTerminal } = useApp();
  app.suspend = suspendTerminal;
  const texts = rows.map((row, at) => createElement(Text, { key: at, wrap: "truncate-end" }, row === "" ? " " : row));
  return createElement(Box, { flexDirection: "column" }, ...texts);
}

async function runAlone(work: () => Promise<void>): Promise<void> {
  await work();
}
