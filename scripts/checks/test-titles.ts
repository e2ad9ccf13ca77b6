/**
 * The title of a test is a sentence that names what is tested and says what it does, so that it can be read in a list of
 * failures without its `describe`: `apply() writes nothing when a step fails`.
 *
 * What can be checked without knowing English: it has at least three words; it does not begin with a word that leans on
 * something before it, nor with a verb whose subject would have to stand in the `describe`; and it has a verb that is not the
 * verb of a clause inside (`a file that is gone` has none).
 */
import { blankOut, lineOf, type SourceFile } from "./source-code.ts";

/** Violations as `path:line: message`. */
export function checkTestTitles(file: SourceFile): string[] {
  if (!file.path.endsWith(".test.ts")) return [];
  return readTitles(file.text).flatMap(({ title, line }) => {
    const problem = problemOf(title);
    return problem === undefined ? [] : [`${file.path}:${line}: Cannot use the title "${title}": ${problem}`];
  });
}

/** Finds the title of `test("title"` and of `test.each(cases)("title"`, where it is a literal. */
function readTitles(text: string): { title: string; line: number }[] {
  const code = blankOut(text, "comments and strings");
  const calls = [...blankOut(text, "comments").matchAll(/^ *(?:await )?(?:test|it)(?=[.(<])/gm)];
  return calls.flatMap((call) => {
    const open = titleOffset(code, call.index + call[0].length);
    const at = open + (/^\s*/.exec(text.slice(open))?.[0].length ?? 0);
    const [literal] = /^(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)/s.exec(text.slice(at)) ?? [];
    return literal === undefined ? [] : [{ title: literal.slice(1, -1), line: lineOf(text, at) }];
  });
}

/** Behind the parenthesis the last call of a chain: `test.skipIf(no)(`. */
function titleOffset(code: string, from: number): number {
  let at = from;
  for (;;) {
    at += /^(?:\.\w+|<[^(]*>)*/.exec(code.slice(at))?.[0].length ?? 0;
    const end = closingParenthesis(code, at);
    if (!/^\s*\(/.test(code.slice(end))) return at + 1;
    at = end;
  }
}

function closingParenthesis(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    if (code[at] === "(") depth++;
    if (code[at] === ")" && --depth === 0) return at + 1;
  }
  return code.length;
}

function problemOf(title: string): string | undefined {
  const words = title.replace(/\$\{[^}]*\}|%\w|`[^`]*`/g, " X ").match(/[\p{L}\d_.()/'-]+|[:;,]/gu) ?? [];
  const [first = ""] = words;
  if (words.filter((word) => /\w/.test(word)).length < 3) return "write a sentence of at least three words";
  if (LEANING.has(first)) return `it begins with "${first}", which leans on something before it`;
  if (VERBS.has(first) && !NOUNS_TOO.has(first)) return `it begins with its verb; name what "${first}"`;
  return hasMainVerb(words.slice(1)) ? undefined : "it has no verb of its own; say what is done";
}

/** A word that opens a clause takes the next verb for itself. */
function hasMainVerb(words: readonly string[]): boolean {
  let open = 0;
  for (const word of words) {
    if (OPENS_CLAUSE.has(word)) open++;
    else if (VERBS.has(word) && open-- <= 0) return true;
    else if (/^[:;]$/.test(word)) open = 0;
    else if (open > 0 && PAST.test(word)) open--;
  }
  return false;
}

/** A past tense, or a placeholder, ends a clause; it is no verb of its own, because it may as well be a participle. */
const PAST = /ed$|^(?:X|became|began|built|came|died|gave|got|held|kept|left|lost|made|put|said|sent|went|wrote)$/;

const words = (line: string): ReadonlySet<string> => new Set(line.split(" "));

const LEANING = words("also and but either nor of or than that those which who whom whose");

const OPENS_CLAUSE = words(
  "although as because how however if that though unless until what whatever when whenever where " +
    "wherever whether which while who whoever whom whose",
);

/** A title may begin with them: `names that are not UTF-8 are shown escaped`. */
const NOUNS_TOO = words(
  "allow answer answers apply call calls change changes checks commits compare copies costs counts cuts ends explain falls hits joins lies lists looks marks matches measures " +
    "moves names needs offers passes places points prints reads records reports runs searches serve shares shows starts stops takes turns works writes",
);

/** Built from the titles of the tests. */
const VERBS = words(
  "accepts add adds admits agree agrees aligns allow allows answer answers appears applies apply approves are " +
    "aren't arrives ask asks be beats become becomes began begin begins behaves belong belongs break breaks bring " +
    "brings builds call calls came can cannot carries carry change changes checks chooses close closes come comes " +
    "commits compare compares compiles completes confirms contains continues copies costs could count counts " +
    "creates cuts decide decides declines deletes demands denies describes did dies differ differs discovers do " +
    "does doubles drains draws drives drop drops edits end ends enforces err errs escapes exists exits expires " +
    "explain explains fail fails falls fill fills find finds finishes fit fits follow follows frees freezes gave " +
    "get gets give gives go goes governs grow grows had hangs happen happens has hashes have hear hears hides hit " +
    "hits hold holds ignore ignores import imports include includes insert inserts installs is isn't joins keep " +
    "keeps know knows lacks lead leads leave leaves lets lie lies lifts list lists lives load loads locks look " +
    "looks lose loses make makes mark marks match matches matter matters may mean means measures meet meets mends " +
    "merge merges might misses mix mixes move moves must names narrow narrows need needs notices occurs offer " +
    "offers opens outlives overflows passes pauses pins places play plays points prints proposes pushes puts " +
    "quotes reach reaches read reads receive receives records redirects refers refuse refuses rejects relies " +
    "remove removes renames repeat repeats replace replaces report reports require requires resembles resolves " +
    "restores return returns reveals rewrites rounds run runs said saves saw say says searches see sees send " +
    "sends serve serves set sets settle settles shall share shares should show shows shrinks signs skip skips " +
    "sleeps sorts speak speaks spends splits stand stands start starts stay stays steers stood stop stops " +
    "suggests survive survives sweeps take takes tell tells thinks throw throws touch touches translates tries " +
    "trusts turns undoes use uses wait waits wakes want wants warns was went were widens will wins work works " +
    "would write writes",
);
