/**
 * The record of one host, which begins with what the host is.
 */
import { openAuditLog, type AuditLog } from "../audit/index.ts";
import { sha256 } from "../base/index.ts";
import { BUILD, type Config } from "../config/index.ts";
import type { HostFacts } from "../contract/index.ts";
import { openStateFolder } from "../state/index.ts";

export function openRecord(config: Config, { fence, roots }: Pick<HostFacts, "fence" | "roots">): AuditLog {
  const { audit, checkpoints, keys } = openStateFolder(config.stateDir);
  const isBestEffort = config.audit === "best-effort";
  const log = openAuditLog({ audit, checkpoints, keys, isBestEffort });
  const { mode } = config;
  log.record("start", { ...BUILD, config: sha256(JSON.stringify(config)), mode, fence, roots });
  return log;
}
