/**
 * `bun run test:k8s [KUBE_APISERVER ETCD]`: the pack `k8s` with a real kube-apiserver. Without paths they are those of the cache, and
 * are built first where they are missing (`scripts/build-kube-apiserver.sh`). Outside of the gate, because that takes minutes.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = join(import.meta.dir, "..");
const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "ringfence-test", "k8s");
const [apiserver = join(cache, "kube-apiserver"), etcd = join(cache, "etcd")] = Bun.argv
  .slice(2)
  .map((path) => resolve(path));

if (![apiserver, etcd].every((path) => existsSync(path))) {
  const { exitCode } = Bun.spawnSync([join(ROOT, "scripts", "build-kube-apiserver.sh")], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (exitCode !== 0) process.exit(exitCode);
}
const { exitCode } = Bun.spawnSync(
  [process.execPath, "test", "--timeout=480000", "./test/packs/k8s/real-cluster.test.ts"],
  {
    cwd: ROOT,
    env: { ...process.env, RINGFENCE_TEST_KUBE_APISERVER: apiserver, RINGFENCE_TEST_ETCD: etcd },
    stdio: ["ignore", "inherit", "inherit"],
  },
);
process.exitCode = exitCode;
