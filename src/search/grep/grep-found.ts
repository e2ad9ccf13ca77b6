/**
 * What a grep has found so far, file by file in path order, until the answer is full; and where the next one goes on.
 */
import { newRoom, sizeOf, sizeOfPath, takeOne, type Room } from "../answer-room.ts";
import { mostResults, type SearchContext } from "../context.ts";
import type { GrepAnswer, GrepMatch } from "./grep-answer.ts";
import type { FileEnd, FileFound, FilePlace } from "./grep-file.ts";
import type { GrepPlan } from "./grep-options.ts";

/** Where a search goes on: after this file; with a place, after that match in it. */
export interface GrepPlace {
  readonly rel: string;
  readonly at?: FilePlace;
}

/** As it stands in a cursor: with what the tree was like there. */
export interface MarkedPlace extends GrepPlace {
  readonly mark: string;
}

export class GrepFound {
  readonly #plan: GrepPlan;
  readonly #asked: GrepPlace | undefined;
  readonly #matches: GrepMatch[] = [];
  readonly #counts: { path: string; count: number }[] = [];
  readonly #room: Room;
  files = 0;
  matches = 0;
  next: GrepPlace;

  /** @param asked where this search itself began */
  constructor(ctx: SearchContext, plan: GrepPlan, asked: GrepPlace | undefined) {
    this.#plan = plan;
    this.#asked = asked;
    this.#room = newRoom(ctx, plan.asked, mostResults(ctx, plan.limit));
    this.next = asked ?? { rel: "" };
  }

  /** A copy, to be used up by the search of one file. */
  get room(): Room {
    return { ...this.#room };
  }

  /** Nothing of the file is missing. */
  pass(rel: string): void {
    this.next = { rel };
  }

  /** @param path as it is shown */
  add(rel: string, path: string, found: FileFound): FileEnd {
    if (this.#plan.output !== "content") return this.#addCount(rel, path, found);
    let last: GrepMatch | undefined;
    let { end } = found;
    for (const match of found.matches) {
      if (!takeOne(this.#room, sizeOf(match))) {
        end = "full";
        break;
      }
      this.#matches.push(match);
      last = match;
    }
    if (last) this.files++;
    if (end === "done") this.next = { rel };
    else if (last) this.next = { rel, at: { line: last.line, column: last.column } };
    else
      this.next =
        this.#asked?.rel === rel && this.#asked.at ? this.#asked : { rel, at: { line: 0, column: 0 } };
    this.matches = this.#matches.length;
    return end;
  }

  /** Of files and counts only whole ones are given: one that was not finished is taken again. */
  #addCount(rel: string, path: string, { end, count }: FileFound): FileEnd {
    if (end !== "done") return end;
    if (count > 0) {
      if (!takeOne(this.#room, sizeOfPath(path))) return "full";
      this.#counts.push({ path, count });
      this.files++;
      this.matches += count;
    }
    this.next = { rel };
    return "done";
  }

  results(): Pick<GrepAnswer, "matches" | "paths" | "counts"> {
    if (this.#plan.output === "content") return { matches: this.#matches };
    if (this.#plan.output === "count") return { counts: this.#counts };
    return { paths: this.#counts.map(({ path }) => path) };
  }
}
