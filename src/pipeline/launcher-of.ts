/**
 * The launcher of a host, for a power that starts programs.
 */
import { Failure } from "../base/index.ts";
import type { Launch } from "../proc/index.ts";
import type { Services } from "./services.ts";

/** @throws Failure `unsupported` */
export function launcherOf({ launch }: Services): Launch {
  if (launch) return launch;
  throw new Failure("unsupported", "Cannot start anything: this host was started without a launcher", {
    hint: "A host that serves stdin and stdout has one.",
  });
}
