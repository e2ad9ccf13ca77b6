/**
 * A review in lines, for every terminal and every screen reader: each part is shown whole and then asked about, as
 * `git add -p` does. Every answer is kept at once, so that nothing is lost when the review ends in the middle.
 */
import { Failure, failureText } from "../../base/index.ts";
import { addComment, choose, isOut, noteSeen, partsOf } from "../../review/index.ts";
import type { ReviewChoices, ProposalReview, ReviewedFile, ShownHunk } from "../../review/index.ts";
import { UsageError } from "../command.ts";
import { isAtTerminal, messages, print, printText } from "../print.ts";
import { ReviewPrinter } from "./print-review.ts";
import type { ReviewDesk } from "./review-desk.ts";
import { TerminalLines } from "./terminal-lines.ts";

export interface ReviewOptions {
  readonly desk: ReviewDesk;
  /** The review ends when nothing waits. */
  readonly once: boolean;
}

/** What comes after one proposal: the next one, or the end of the review. */
type Next = "next" | "quit";

/** @throws UsageError without a terminal */
export async function reviewInLines({ desk, once }: ReviewOptions): Promise<void> {
  if (!isAtTerminal()) throw new UsageError("a review in lines needs a terminal; --json is for programs");
  using lines = new TerminalLines();
  const table = new ReviewTable(desk, lines);
  const done = new Set<string>();
  let isToldToWait = false;
  let known: readonly string[] = [];
  for (;;) {
    known = await desk.ids();
    const id = known.find((one) => !done.has(one));
    if (id === undefined) {
      if (once || lines.isOver) return;
      if (!isToldToWait)
        messages().info(`Nothing waits in ${desk.stateDir}. Proposals are shown as they come; Ctrl-C ends the review.`);
      isToldToWait = true;
      known = await desk.change(known, () => lines.isOver);
      continue;
    }
    isToldToWait = false;
    done.add(id);
    if ((await table.decide(id)) === "quit") return;
  }
}

/** One part that is asked about: a hunk, some places of it, or a file as a whole. */
interface Part {
  readonly file: ReviewedFile;
  readonly hunk?: ShownHunk;
  readonly places?: readonly string[];
}

const HELP = `y  take this part in          n  leave it out
s  split it                   c  comment on a line of it
a  take the rest of the file  d  leave out the rest of the file
r  reject all of the proposal l  leave it waiting
q  end the review; what you chose so far stays`;
const HELP_AT_END: Readonly<Record<string, string>> = {
  y: "apply what is in",
  n: "reject all of it",
  c: "comment on a line of it",
  b: "begin again",
  l: "leave it waiting",
  q: "end the review; what you chose so far stays",
};

class ReviewTable {
  readonly #desk: ReviewDesk;
  readonly #lines: TerminalLines;
  readonly #printer: ReviewPrinter;

  constructor(desk: ReviewDesk, lines: TerminalLines) {
    this.#desk = desk;
    this.#lines = lines;
    this.#printer = new ReviewPrinter(!process.env["NO_COLOR"] && process.env["TERM"] !== "dumb");
  }

  async decide(id: string): Promise<Next> {
    try {
      const review = await this.#desk.load(id);
      print(this.#printer.head(review).join("\n"));
      return review.isCall ? await this.#decideCall(review) : await this.#decideChange(review);
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      messages().error(failureText(thrown.data));
      return "next";
    }
  }

  async #decideCall(review: ProposalReview): Promise<Next> {
    printText(review.text);
    return await this.#end(review, "Allow this call once? [y,n,l,q,?]");
  }

  async #decideChange(review: ProposalReview): Promise<Next> {
    let choices = this.#desk.draft(review);
    // What has no rows, as bytes and trees, is shown by the sheet.
    if (review.files.some(({ hunks }) => hunks.every(({ places }) => places.length === 0))) printText(review.text);
    const parts = review.files.flatMap((file): Part[] =>
      file.hunks.some(({ places }) => places.length > 0) ? file.hunks.map((hunk) => ({ file, hunk })) : [{ file }],
    );
    const [only] = parts;
    if (parts.length === 1 && only && (only.hunk?.places.length ?? 0) < 2) {
      this.#show(only);
      this.#desk.keep(review, seen(choices, only));
      return await this.#end(review, "Apply this? [y,n,c,l,q,?]", only);
    }
    while (parts.length > 0) {
      const part = parts.shift();
      if (!part) break;
      this.#show(part);
      choices = seen(choices, part);
      this.#desk.keep(review, choices);
      const answer = await this.#askPart(part);
      switch (answer) {
        case "y":
        case "n":
          choices = choose(choices, part.file, answer === "y", part.places ?? part.hunk?.places);
          break;
        case "a":
        case "d":
          while (parts[0]?.file === part.file) choices = takeAll(choices, parts.shift(), answer === "a");
          choices = takeAll(choices, part, answer === "a");
          break;
        case "s":
          parts.unshift(...(part.hunk?.places ?? []).map((place) => ({ ...part, places: [place] })));
          break;
        case "c":
          choices = await this.#comment(choices, part);
          parts.unshift(part);
          break;
        case "r":
          return await this.#reject(review, choices);
        case "l":
          return "next";
        default:
          return "quit";
      }
      this.#desk.keep(review, choices);
    }
    const taken = partsOf(choices, review.files);
    if (taken === "nothing") return await this.#end(review, "Everything is left out. Reject it? [n,b,l,q,?]");
    return await this.#end(review, `${countIn(choices, review)} Apply? [y,n,b,l,q,?]`);
  }

  #show({ file, hunk, places }: Part): void {
    if (!hunk || hunk.number === 1) print(this.#printer.file(file).join("\n"));
    if (hunk) print(this.#printer.hunk(hunk, file.hunks.length, places).join("\n"));
  }

  /** @returns a letter of the help; `q` at the end of the input */
  async #askPart({ hunk, places }: Part): Promise<string> {
    const canSplit = hunk !== undefined && places === undefined && hunk.places.length > 1;
    const letters = `y,n,${canSplit ? "s," : ""}${hunk ? "c," : ""}a,d,r,l,q`;
    return await this.#letter(`Take this part in? [${letters},?]`, letters.split(","), HELP);
  }

  async #letter(question: string, letters: readonly string[], help: string): Promise<string> {
    for (;;) {
      const answer = await this.#lines.ask(question);
      if (answer === undefined) return "q";
      if (letters.includes(answer)) return answer;
      print(help);
    }
  }

  async #end(review: ProposalReview, question: string, only?: Part): Promise<Next> {
    const offered = /\[([^\]]*)\]/.exec(question)?.[1]?.split(",") ?? [];
    const letters = offered.filter((letter) => letter !== "?");
    const help = letters.map((letter) => `${letter}  ${HELP_AT_END[letter] ?? ""}`).join("\n");
    switch (await this.#letter(question, letters, help)) {
      case "y":
        return await this.#apply(review);
      case "n":
        return await this.#reject(review, this.#desk.draft(review));
      case "c":
        if (only) this.#desk.keep(review, await this.#comment(this.#desk.draft(review), only));
        return await this.#end(review, question, only);
      case "b":
        return await this.#decideChange(review);
      case "l":
        return "next";
      default:
        return "quit";
    }
  }

  async #apply(review: ProposalReview): Promise<Next> {
    const done = await this.#desk.apply(review, this.#desk.draft(review));
    if (done.status === "approved") print("Approved; the host that waits makes the call.");
    else printText(`Applied: ${done.summary ?? review.summary} (transaction ${done.transaction})`);
    return "next";
  }

  async #reject(review: ProposalReview, { comments }: ReviewChoices): Promise<Next> {
    const reason = await this.#lines.text("Why? The agent reads it; an empty line says nothing.");
    printText(`Rejected: ${(await this.#desk.reject(review, reason, comments)).summary}`);
    return "next";
  }

  async #comment(choices: ReviewChoices, { file, hunk }: Part): Promise<ReviewChoices> {
    const rows = hunk?.rows ?? [];
    const given = await this.#lines.text("On which line? Its number as shown; an empty line means the file.");
    // A line that goes and the one that comes in its place may have one number.
    const row = rows.find((one) => String(one.new) === given) ?? rows.find((one) => String(one.old) === given);
    if (given !== "" && !row) {
      print(`No line of this part has the number ${given}.`);
      return choices;
    }
    const text = await this.#lines.text("What do you say about it?");
    if (text === "") return choices;
    const side = row && row.new === undefined ? ({ side: "before" } as const) : {};
    const place = row ? { line: row.new ?? row.old ?? 1, quote: row.raw, ...side } : {};
    return addComment(choices, { path: file.path, ...place, text });
  }
}

function seen(choices: ReviewChoices, { file, hunk }: Part): ReviewChoices {
  return hunk ? noteSeen(choices, file, [hunk.number]) : choices;
}

function takeAll(choices: ReviewChoices, part: Part | undefined, isTaken: boolean): ReviewChoices {
  return part ? choose(choices, part.file, isTaken, part.places ?? part.hunk?.places) : choices;
}

function countIn(choices: ReviewChoices, { files }: ProposalReview): string {
  const places = files.flatMap((file) => file.hunks.flatMap((hunk) => hunk.places.map((place) => ({ file, place }))));
  const taken = places.filter(({ file, place }) => !isOut(choices, file, place)).length;
  const whole = files.filter((file) => !isOut(choices, file)).length;
  return `${taken} of ${places.length} places of change in ${whole} of ${files.length} files are in.`;
}
