/**
 * OpenStack Swift with its S3 face, as one node on this machine: an account, a container and an object server behind a proxy that
 * checks signatures. Each has a folder of the test and a port of its own.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../waits/free-port.ts";
import { until } from "../../waits/until.ts";

/** Signs that have to be encoded where a key stands in an address. */
export const SWIFT_ACCESS_KEY = "test:tester";
export const SWIFT_SECRET_KEY = "testing/with+signs";

export interface SwiftStore extends AsyncDisposable {
  readonly endpoint: string;
}

const KINDS = ["account", "container", "object"] as const;
type Kind = (typeof KINDS)[number];

export async function startSwift(): Promise<SwiftStore> {
  const folder = mkdtempSync(join(tmpdir(), "ringfence-swift-"));
  const at = (...names: readonly string[]): string => join(folder, ...names);
  const ports = { account: freePort(), container: freePort(), object: freePort(), proxy: freePort() };
  for (const name of ["node/d1", "etc", "cache"]) mkdirSync(at(name), { recursive: true });
  writeFileSync(at("etc/swift.conf"), "[swift-hash]\nswift_hash_path_prefix = a\nswift_hash_path_suffix = b\n");
  for (const kind of KINDS) writeFileSync(at(`etc/${kind}.conf`), serverConfig(kind, ports[kind], folder));
  writeFileSync(at("etc/proxy.conf"), proxyConfig(ports.proxy, folder));
  const built = Bun.spawnSync([python(), "-c", BUILD_RINGS, at("etc"), JSON.stringify(ports)], { stderr: "pipe" });
  if (!built.success) throw new Error(built.stderr.toString());
  const processes = [...KINDS, "proxy" as const].map((kind) =>
    Bun.spawn([Bun.which(`swift-${kind}-server`) ?? "", at(`etc/${kind}.conf`)], {
      stdout: "ignore",
      stderr: Bun.file(at(`${kind}.log`)),
      env: { ...process.env, PATH: "/usr/bin:/bin" },
    }),
  );
  const stop = async (): Promise<void> => {
    for (const one of processes) one.kill("SIGTERM");
    await Promise.all(processes.map(async ({ exited }) => await exited));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const endpoint = `http://127.0.0.1:${ports.proxy}`;
    await until("Swift to answer", async () => {
      const ended = processes.findIndex(({ exitCode }) => exitCode !== null);
      if (ended >= 0) throw new Error(await Bun.file(at(`${[...KINDS, "proxy"][ended]}.log`)).text());
      // A proxy that is asked before those behind it listen calls them broken for a minute.
      const answers = Object.values(ports).map(async (port) => await fetch(`http://127.0.0.1:${port}/healthcheck`));
      return (await Promise.allSettled(answers)).every(({ status }) => status === "fulfilled");
    });
    return { endpoint, [Symbol.asyncDispose]: stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

/** Debian's, for which its modules are. */
function python(): string {
  return "/usr/bin/python3";
}

/** One partition on one device, so that everything is where it is looked for. */
const BUILD_RINGS = `
import json, sys
from swift.common.ring import RingBuilder
etc, ports = sys.argv[1], json.loads(sys.argv[2])
for kind in ("account", "container", "object"):
    builder = RingBuilder(1, 1, 0)
    builder.add_dev({"region": 1, "zone": 1, "ip": "127.0.0.1", "port": ports[kind], "device": "d1", "weight": 1})
    builder.rebalance()
    builder.get_ring().save(etc + "/" + kind + ".ring.gz")
`;

function serverConfig(kind: Kind, port: number, folder: string): string {
  return `[DEFAULT]
devices = ${folder}/node
mount_check = false
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
swift_dir = ${folder}/etc
user = ${userName()}
disable_fallocate = true
recon_cache_path = ${folder}/cache

[pipeline:main]
pipeline = ${kind}-server

[app:${kind}-server]
use = egg:swift#${kind}
`;
}

function proxyConfig(port: number, folder: string): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
swift_dir = ${folder}/etc
user = ${userName()}

[pipeline:main]
pipeline = healthcheck cache listing_formats s3api tempauth bulk slo proxy-server

[filter:healthcheck]
use = egg:swift#healthcheck

[filter:cache]
use = egg:swift#memcache
memcache_servers =

[filter:listing_formats]
use = egg:swift#listing_formats

[filter:s3api]
use = egg:swift#s3api
location = us-east-1
check_bucket_owner = false
auth_pipeline_check = false

[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${SWIFT_SECRET_KEY} .admin

[filter:bulk]
use = egg:swift#bulk

[filter:slo]
use = egg:swift#slo

[app:proxy-server]
use = egg:swift#proxy
# A machine that has much else to do makes no server broken.
conn_timeout = 30
node_timeout = 60
error_suppression_limit = 1000
account_autocreate = true
allow_account_management = true
`;
}

function userName(): string {
  return Bun.spawnSync(["id", "-un"]).stdout.toString().trim();
}
