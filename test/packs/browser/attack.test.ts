/**
 * Chromium as an attacker of the list: a page tries every way out, in a network whose name server hears every question. Nothing
 * arrives where it should not, and no name is asked for that is not listed: with the pack, and with the same browser as a program
 * that nobody has tamed. Without a list the same page arrives in all of these ways.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { component } from "../../components/component.ts";
import { browsing, CHROMIUM } from "./browser-host.ts";

interface Attack {
  /** "tcp" for a connection, "udp" for a datagram, and the first line of what came. */
  readonly arrived: readonly string[];
  /** Names that were asked for. */
  readonly names: readonly string[];
  /** Paths of the server that is listed. */
  readonly reached: readonly string[];
  readonly said: string;
}

const needed = component("ip", "unshare", "mount");
const flags = process.getuid?.() === 0 ? ["--net", "--mount"] : ["--net", "--mount", "--map-root-user"];
const SETUP = 'ip link set lo up && mount --bind "$1" /etc/resolv.conf && shift && exec "$@"';

function inOwnNet(resolv: string, command: readonly string[]): string[] {
  return ["unshare", ...flags, "sh", "-c", SETUP, "sh", resolv, ...command];
}

const isMissing =
  browsing.isMissing ||
  needed.isMissing ||
  !Bun.spawnSync(inOwnNet("/dev/null", ["true"]), { stdin: "ignore", stderr: "ignore" }).success;

async function attack(mode: "pack" | "command" | "open"): Promise<Attack> {
  const folder = mkdtempSync(join(tmpdir(), "ringfence-attack-"));
  try {
    const resolv = join(folder, "resolv.conf");
    writeFileSync(resolv, "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n");
    const run = join(import.meta.dir, "..", "..", "fixtures", "browser", "attack-run.ts");
    const child = Bun.spawn(inOwnNet(resolv, [process.execPath, run, mode, CHROMIUM]), {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    if ((await child.exited) !== 0) throw new Error(errors);
    return JSON.parse(out) as Attack;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const TRIED: readonly string[] = ["/", "/wait", "/redirect", "/alt-service", "/done"];

describe.skipIf(isMissing)(`Chromium as an attacker of its list${browsing.note}${needed.note}`, () => {
  test("the browser of the pack gets no byte past its list, and asks for no name that is not listed", async () => {
    const { arrived, names, reached, said } = await attack("pack");
    // What the listed name leads to here is this machine, and that no name may.
    expect([...reached].sort()).toEqual([...TRIED].sort());
    expect(arrived).toEqual([]);
    expect(names).toEqual(["listed.test"]);
    expect(said).toContain("http://image.evil.test (it is not in reach)");
  });

  test("the same browser gets no further as a program without any of our flags", async () => {
    const { arrived, names, reached } = await attack("command");
    expect([...reached].sort()).toEqual([...TRIED].sort());
    expect([arrived, names]).toEqual([[], []]);
  });

  test("the same page arrives in these ways where there is no list, so that they are ways", async () => {
    const { arrived, names } = await attack("open");
    const paths = arrived.flatMap((line) => /^(?:GET|POST) \/(\S+)/.exec(line)?.[1] ?? []);
    for (const path of ["fetch", "beacon", "socket", "worker", "ws", "events", "form", "redirected", "image", "hex"])
      expect(paths).toContain(path);
    expect(arrived).toContain("udp");
    for (const name of ["image", "fetch", "beacon", "socket"]) expect(names).toContain(`${name}.evil.test`);
  });
});
