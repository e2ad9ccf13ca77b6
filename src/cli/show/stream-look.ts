/**
 * What a stream can show: whether somebody looks at it, in colours or without, and how wide. Only colours can be asked for where
 * nobody looks (`FORCE_COLOR`); the width and the times of a pipe are those of a script, always.
 *
 * Usual mistake: to ask `isTTY` at a place of one's own, which forgets `NO_COLOR` and `TERM=dumb`.
 */

export interface StreamLook {
  readonly isTerminal: boolean;
  readonly hasColor: boolean;
  /** The cursor can be moved, so that a line can be written over. */
  readonly canRedraw: boolean;
  /** Columns; `undefined` where nothing may be cut. */
  readonly width: number | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export function lookOf(stream: Stream, environment: Environment = process.env): StreamLook {
  const isTerminal = stream.isTTY === true;
  const isDumb = environment["TERM"] === "dumb";
  return {
    isTerminal,
    hasColor: wantedColor(environment) ?? (isTerminal && !isDumb && environment["CLICOLOR"] !== "0"),
    canRedraw: isTerminal && !isDumb,
    // Some terminals say zero until their size is known.
    width: isTerminal && stream.columns ? stream.columns : undefined,
  };
}

/**
 * What a person has said of colours for every stream: https://no-color.org first, because whoever cannot read colours must be
 * sure, then `FORCE_COLOR` (https://force-color.org; 0 and false mean none) and `CLICOLOR_FORCE` (https://bixense.com/clicolors).
 */
function wantedColor(environment: Environment): boolean | undefined {
  if (environment["NO_COLOR"]) return false;
  const force = environment["FORCE_COLOR"];
  if (force) return force !== "0" && force !== "false";
  const other = environment["CLICOLOR_FORCE"];
  return other && other !== "0" ? true : undefined;
}
