/**
 * The file that a browser is opened with: it leads to the page of a review, with a code that is good one time. The arguments of
 * a process can be read by every user of a machine, and a file of mode 0600 cannot, so the way in is in the file and not in the
 * arguments.
 */
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../base/index.ts";

const NAME = /^l_[\w-]{22}\.html$/;

export interface LaunchFile extends Disposable {
  readonly path: string;
}

/** Removes what a killed review has left, and puts a new one. @param folder `review` in the state folder */
export function putLaunchFile(folder: string, html: string): LaunchFile {
  for (const name of readdirSync(folder)) if (NAME.test(name)) rmSync(join(folder, name), { force: true });
  const path = join(folder, `${newId("l")}.html`);
  writeFileSync(path, html, { mode: 0o600, flag: "wx" });
  return { path, [Symbol.dispose]: () => rmSync(path, { force: true }) };
}
