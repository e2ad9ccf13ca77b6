/**
 * The severities of RFC 5424, section 6.2.1, from the least to the most.
 */
export type LogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

const LEVELS: readonly string[] = "debug info notice warning error critical alert emergency".split(" ");

export function isLogLevel(value: unknown): value is LogLevel {
  return typeof value === "string" && LEVELS.includes(value);
}

/** Whether who listens from `least` on hears of `level`. */
export function isHeard(level: LogLevel, least: LogLevel | undefined): boolean {
  return least !== undefined && LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}
