/**
 * Starts `rebind-attack.ts` in a network and with a resolver of its own: a namespace with an address of the public net on its
 * loopback, dnsmasq that asks the attacker's name server and keeps nothing, and a resolv.conf that names it.
 *
 *     bun test/reach/rebind-run.ts 10000
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Rebinding {
  readonly victimHeard: number;
  /** How many tries ended so: `public`, or a problem. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Questions that reached the attacker's name server. */
  readonly asked: number;
  readonly askedForUnlisted: number;
}

const PUBLIC_ADDRESS = "93.184.216.34";
/** On lines of its own: `a && b &` would put both in the background, and the attack would begin before there is a network. */
const SETUP = [
  "set -e",
  "ip link set lo up",
  `ip addr add ${PUBLIC_ADDRESS}/32 dev lo`,
  'mount --bind "$1/resolv.conf" /etc/resolv.conf',
  'dnsmasq --no-daemon --no-hosts --no-resolv --cache-size=0 --dns-forward-max=2000 --server=127.0.0.1#5353 --listen-address=127.0.0.1 --bind-interfaces --pid-file= 2>"$1/dnsmasq.log" &',
  'trap "kill $!" EXIT',
  // Until it listens every name is refused at once, and nothing would be tried.
  'until grep -q ":0035 " /proc/net/udp; do kill -0 $!; sleep 0.05; done',
  "shift",
  '"$@"',
].join("\n");
const FLAGS: readonly string[] =
  process.getuid?.() === 0 ? ["--net", "--mount"] : ["--net", "--mount", "--map-root-user"];

/** Whether this user may have such a network here. */
export function canRebind(): boolean {
  const probe = `ip link set lo up && ip addr add ${PUBLIC_ADDRESS}/32 dev lo && mount --bind /dev/null /etc/resolv.conf`;
  return Bun.spawnSync(["unshare", ...FLAGS, "sh", "-c", probe], { stdin: "ignore" }).success;
}

export async function runRebinding(tries: number): Promise<Rebinding> {
  const folder = mkdtempSync(join(tmpdir(), "ringfence-rebind-"));
  try {
    writeFileSync(join(folder, "resolv.conf"), "nameserver 127.0.0.1\noptions timeout:5 attempts:3\n");
    const attack = [
      process.execPath,
      join(import.meta.dir, "..", "fixtures", "reach", "rebind-attack.ts"),
      String(tries),
      PUBLIC_ADDRESS,
    ];
    const child = Bun.spawn(["unshare", ...FLAGS, "sh", "-c", SETUP, "sh", folder, ...attack], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    if ((await child.exited) !== 0) throw new Error(errors);
    return JSON.parse(out) as Rebinding;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) console.log(JSON.stringify(await runRebinding(Number(process.argv[2] ?? 10_000))));
