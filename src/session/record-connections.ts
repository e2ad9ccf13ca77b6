/**
 * The connections of programs on record: the launcher passes on what the broker says of each when it has ended. What it says is
 * held to the form that such a line has, because programs choose parts of it.
 */
import type { Launch } from "../proc/index.ts";
import { showUnseen } from "../text/index.ts";

type Fields = Readonly<Record<string, string | number>>;

const NAMES: readonly string[] = ["program", "host", "port", "address", "up", "down", "ms", "why"];
const MAX_CHARS = 300;

/** @param record told of each connection */
export function recordConnections(launch: Launch | undefined, record: (fields: Fields) => void): void {
  const onLine = (line: string): void => {
    const fields = fieldsOf(line);
    if (fields) record(fields);
  };
  // A launcher that is lost says so to whoever needs it.
  launch?.("connections", {}, { onLine }).catch(() => undefined);
}

function fieldsOf(line: string): Fields | undefined {
  try {
    const { connection } = JSON.parse(line) as { connection?: Readonly<Record<string, unknown>> };
    if (!connection) return undefined;
    const known = NAMES.flatMap((name): [string, string | number][] => {
      const value = connection[name];
      if (typeof value === "number") return [[name, value]];
      return typeof value === "string" && value !== "" ? [[name, showUnseen(value.slice(0, MAX_CHARS))]] : [];
    });
    return Object.fromEntries(known);
  } catch {
    return undefined;
  }
}
