/**
 * What comes to the launcher when a keeper ends is looked after, also when no command is left that would have it look.
 */
import { test } from "bun:test";
import { childrenOf, lookAt } from "../../src/proc/tree/processes.ts";
import { Trees } from "../../src/proc/tree/trees.ts";
import { until } from "../waits/until.ts";

test.skipIf(process.platform !== "linux")(
  "a zombie whose keeper ends with the last command is not left to this process",
  async () => {
    const trees = new Trees(undefined);
    const tree = trees.add("run");
    // The shell becomes a program that never looks after its child.
    const keeper = Bun.spawn(["sh", "-c", "true & exec sleep 97534"]);
    trees.keep(tree, keeper.pid, { gone: keeper.exited.then(() => true) });
    await until("a zombie of the keeper", () => {
      const [below = 0] = childrenOf(keeper.pid);
      return lookAt(keeper.pid)?.name === "sleep" && lookAt(below)?.state === "Z";
    });
    trees.remove(tree);
    await until("nobody to be left", () => childrenOf(process.pid).length === 0);
  },
);
