/**
 * Programs in a network namespace of their own, with loopback up and nothing else: they reach what was started beside them
 * there, and nobody outside. Without root it takes a user namespace as well, which not every machine allows.
 */

/** The command that runs the given one in such a network. */
export function inOwnNetwork(command: readonly string[]): string[] {
  const flags = process.getuid?.() === 0 ? ["--net"] : ["--net", "--map-root-user"];
  return ["unshare", ...flags, "sh", "-c", 'ip link set lo up && exec "$@"', "sh", ...command];
}

/** Whether this user may have one here; `unshare` and `ip` must be there. */
export function hasOwnNetwork(): boolean {
  allowed ??= Bun.spawnSync(inOwnNetwork(["true"]), { stdin: "ignore" }).success;
  return allowed;
}

let allowed: boolean | undefined;
