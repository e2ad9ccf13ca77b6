/**
 * Spaces on disk for tests, and a host that has them: as the operator's page lays them out, with a script that says what it was
 * given, one argument a line.
 */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { RawConfig } from "../../../src/config/index.ts";
import { approveSpace, findSpaces, openSpaceStore } from "../../../src/spaces/index.ts";
import { openStateFolder } from "../../../src/state/index.ts";
import type { TestHost } from "../../host/in-memory-host.ts";
import { removeTree } from "../../host/remove-tree.ts";
import { openCommandHost } from "../../proc/command-host.ts";
import type { Clock } from "../../../src/base/index.ts";

/** Says its arguments. */
export const SAY = `#!/bin/sh\nfor one in "$@"; do printf '[%s]\\n' "$one"; done\n`;

export const DEPLOY = `name: Deploy to Staging
description: Deploys the current branch to the staging environment
command: ./deploy.sh {{branch}}
parameters:
  - name: branch
    type: string
    description: Git branch to deploy
    required: true
timeout: 300
`;

/** The files of one space by their paths; scripts are executable. */
export function laySpace(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    const whole = join(folder, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, content);
    if (path.endsWith(".sh")) chmodSync(whole, 0o755);
  }
}

export interface SpaceHost extends AsyncDisposable {
  readonly host: TestHost;
  /** The directory that holds the spaces. */
  readonly spaces: string;
  /** Approves everything that lies there now. */
  readonly approve: () => Promise<void>;
  readonly names: () => Promise<string[]>;
}

export interface SpaceHostOptions {
  readonly config?: RawConfig;
  readonly clock?: Clock;
  /** Default: everything is approved before the host is there. */
  readonly isApproved?: boolean;
}

/** @param lay puts the spaces into the directory */
export async function openSpaceHost(
  lay: (spaces: string) => void,
  { config = {}, clock, isApproved = true }: SpaceHostOptions = {},
): Promise<SpaceHost> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-spaces-")));
  const spaces = join(top, "spaces");
  mkdirSync(spaces);
  lay(spaces);
  const stateDir = join(top, "state");
  const approve = async (): Promise<void> => {
    openStateFolder(stateDir);
    const store = openSpaceStore(stateDir);
    for (const space of await findSpaces([spaces], [])) approveSpace(store, space);
  };
  if (isApproved) await approve();
  const host = openCommandHost({
    top,
    config: { spaces: [spaces], stateDir, ...config },
    ...(clock ? { clock } : {}),
  });
  return {
    host,
    spaces,
    approve,
    async names() {
      const { tools } = (await host.modern("tools/list")).result;
      return (tools as { name: string }[]).map(({ name }) => name).filter((name) => name.startsWith("space_"));
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await removeTree(top);
    },
  };
}
