/**
 * How many requests each host has had within the last minute, so that a model in a loop does no harm to a server.
 */
import { monotonicMs } from "../../base/index.ts";

const MINUTE_MS = 60_000;
const MAX_HOSTS = 10_000;

export class RequestRate {
  readonly #times = new Map<string, number[]>();

  mayGo(pack: string, host: string, perMinute: number): boolean {
    if (perMinute === Infinity) return true;
    const key = `${pack} ${host}`;
    const now = monotonicMs();
    const recent = (this.#times.get(key) ?? []).filter((time) => now - time < MINUTE_MS);
    if (recent.length >= perMinute) return false;
    if (this.#times.size >= MAX_HOSTS) this.#times.clear();
    this.#times.set(key, [...recent, now]);
    return true;
  }
}
