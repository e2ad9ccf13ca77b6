/**
 * What agents did, as a picture: calls, questions and changes by the hour, and the folders that they were about. Beside the
 * picture stands a table with its numbers, which a screen reader reads and a search finds.
 */
import type { JSX } from "preact";
import type { ActivityCount, PageAnswers } from "../../protocol.ts";
import { Table } from "./other-views.tsx";
import { localTime } from "../show-time.ts";

const KINDS = ["calls", "asks", "changes"] as const;
const WORDS = { calls: "calls", asks: "asked about", changes: "changes" } as const;
const [WIDTH, HEIGHT, GAP] = [720, 140, 2];

export function RecordView({ record }: { readonly record: PageAnswers["record"] | undefined }): JSX.Element {
  if (!record) return <p>Loading…</p>;
  return (
    <>
      <h2>What agents did in the last {record.hours.length} hours</h2>
      <ul class="legend">
        {KINDS.map((kind) => (
          <li key={kind}>
            <svg width="12" height="12" aria-hidden="true">
              <rect class={kind} width="12" height="12" />
            </svg>{" "}
            {WORDS[kind]}
          </li>
        ))}
      </ul>
      <Hours counts={record.hours} />
      <h3>By folder</h3>
      <Folders counts={record.folders} />
      <details>
        <summary>The numbers</summary>
        <Table
          heads={["Hour", ...KINDS.map((kind) => WORDS[kind])]}
          rows={record.hours.map((hour) => [hourOf(hour.name), ...KINDS.map((kind) => String(hour[kind]))])}
        />
      </details>
      <h3>The last lines of the record</h3>
      <Table
        heads={["When", "What", "About"]}
        rows={record.lines.map(({ time, event, about }) => [localTime(time), event, about])}
      />
    </>
  );
}

function Hours({ counts }: { readonly counts: readonly ActivityCount[] }): JSX.Element {
  const most = Math.max(1, ...counts.flatMap((count) => KINDS.map((kind) => count[kind])));
  const step = WIDTH / Math.max(1, counts.length);
  const bar = step / KINDS.length - GAP / KINDS.length;
  const said = KINDS.map((kind) => `${counts.reduce((sum, count) => sum + count[kind], 0)} ${WORDS[kind]}`).join(", ");
  return (
    <svg class="hours" viewBox={`0 0 ${WIDTH} ${HEIGHT + 20}`} role="img" aria-label={`By the hour: ${said}`}>
      {counts.map((count, at) => (
        <g key={count.name}>
          {KINDS.map((kind, index) => {
            const height = (count[kind] / most) * HEIGHT;
            return (
              <rect key={kind} class={kind} x={at * step + index * bar} y={HEIGHT - height} width={bar} height={height}>
                <title>{`${hourOf(count.name)}: ${count[kind]} ${WORDS[kind]}`}</title>
              </rect>
            );
          })}
          {at % 3 === 0 && (
            <text x={at * step} y={HEIGHT + 15}>
              {hourOf(count.name)}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

const ROW_PX = 22;

function Folders({ counts }: { readonly counts: readonly ActivityCount[] }): JSX.Element {
  if (counts.length === 0) return <p>No call was about a folder.</p>;
  const most = Math.max(1, ...counts.map(({ calls, asks, changes }) => calls + asks + changes));
  return (
    <ul class="folders">
      {counts.map((count) => {
        let x = 0;
        return (
          <li key={count.name}>
            <svg viewBox={`0 0 ${WIDTH} ${ROW_PX / 2}`} preserveAspectRatio="none" aria-hidden="true">
              {KINDS.map((kind) => {
                const width = (count[kind] / most) * WIDTH;
                x += width;
                return <rect key={kind} class={kind} x={x - width} y={0} width={width} height={ROW_PX / 2} />;
              })}
            </svg>
            <span>
              {count.name}: {KINDS.map((kind) => `${count[kind]} ${WORDS[kind]}`).join(", ")}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** The hour on the wall. */
function hourOf(name: string): string {
  return `${String(new Date(`${name}:00:00Z`).getHours()).padStart(2, "0")}:00`;
}
