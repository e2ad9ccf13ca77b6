/**
 * Code of another language on a command line (`python -c`, `perl -e`, `awk`), which is not parsed. It is asked about in
 * any case; this looks for what would make it a refusal: shell commands in its strings, and the shape of a reverse shell.
 *
 * Usual mistake: to take "nothing found" for "harmless". Nothing found still means ask.
 */
import type { Context } from "./call.ts";
import { deny, HARMLESS, judged, merge, type Judgement } from "./judgement.ts";

export function scanCode(code: string, context: Context): Judgement {
  if (isReverseShell(code)) return judged(deny("it would connect a shell to another machine"));
  if (FETCHES.test(code) && RUNS_TEXT.test(code)) return judged(deny("it would download code and run it"));
  if (REMOVES_TREE.test(code)) return judged(deny("it would remove a whole system folder"));
  if (!STARTS_PROGRAM.test(code)) return HARMLESS;
  return merge(stringsOf(code).map((text) => onlyDenials(context.assessText(text, []))));
}

/** What was found in a string that might be a command is certain enough to refuse, not to name paths. */
function onlyDenials({ findings }: Judgement): Judgement {
  return { findings: findings.filter(({ verdict }) => verdict === "deny"), paths: [] };
}

function isReverseShell(code: string): boolean {
  return CONNECTS.test(code) && TAKES_SHELL.test(code);
}

const CONNECTS =
  /\bsocket\b|\bfsockopen\b|\bTCPSocket\b|\bTcpClient\b|\bTCPClient\b|\bnet\.(?:connect|Socket|createConnection)\b|\bIO::Socket\b|\buse Socket\b|\/inet\/tcp|\/dev\/tcp|\bSocket\.tcp\b/i;
const TAKES_SHELL =
  /\bdup2\b|\bpty\b|\bsubprocess\b|\bspawn\b|\bexec\w*\b|\bproc_open\b|\bshell_exec\b|\bsystem\b|\bpopen\b|\/bin\/(?:ba|z|da)?sh\b|\bcmd(?:\.exe)?\b|\biex\b|\bsh\b/i;
const FETCHES =
  /\burlopen\b|\burllib\b|\brequests\.get\b|\bhttps?:\/\/|\bLWP::Simple\b|\bfile_get_contents\b|\bopen-uri\b|\bDownloadString\b|\bInvoke-WebRequest\b|\biwr\b|\bfetch\(/i;
const RUNS_TEXT =
  /\bexec\s*\(|\beval\b|\biex\b|\bInvoke-Expression\b|\bnew Function\b|\|\s*(?:ba|z|da)?sh\b/i;
const REMOVES_TREE =
  /\b(?:rmtree|rmSync|rmdirSync|rm_rf|rm_r|remove_tree|remove_entry|removeSync|rimraf(?:\.sync)?)\b[\s(]*["'](?:\/|~|\/(?:home|etc|usr|var|bin|lib|boot|root))\/?["']/;
const STARTS_PROGRAM =
  /\bsystem\b|\bexec\w*\b|\bpopen\w*\b|\bspawn\w*\b|\bsubprocess\b|\bchild_process\b|\bqx\b|`|\bshell\w*\b|\bpassthru\b|\bgetline\b|\||\bos\.|:!|^!|\bcall\b|\brun\b|%x|\bOpen3\b|\bKernel\b|\bCommand\b/i;

/** Quoted pieces, and lists of quoted pieces joined to a command: `["rm", "-rf", "/"]`. */
function stringsOf(code: string): string[] {
  const pieces = [
    ...code.matchAll(
      /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`([^`]*)`|\bqx[{(/]([^})/]*)[})/]|%x[{(]([^})]*)[})]/gs,
    ),
  ];
  const texts = pieces.map((piece) =>
    piece
      .slice(1)
      .join("")
      .replace(/\\(["'\\])/g, "$1"),
  );
  const lists = [...code.matchAll(/[[(]\s*((?:["'][^"']*["']\s*,\s*)+["'][^"']*["'])\s*,?\s*[\])]/g)];
  const joined = lists.map(([, list = ""]) =>
    list.replace(/["']\s*,\s*["']/g, " ").replace(/^["']|["']$/g, ""),
  );
  const commands = [...code.matchAll(/(?:^|:)!\s*(.+)/g)].map(([, text = ""]) => text);
  return [...texts, ...joined, ...commands].filter((text) => WORTH_READING.test(text)).slice(0, MAX_STRINGS);
}

const MAX_STRINGS = 100;
/** Programs that a refusal can come from; the text of a message has none of them at its start or behind an operator. */
const WORTH_READING =
  /(?:^|[\s;|&(/])(?:rm|sudo|su|doas|pkexec|mkfs\S*|wipefs|dd|shred|mv|cp|tee|chmod|chown|find|curl|wget|nc|ncat|bash|sh|kill|pkill|killall|shutdown|reboot|halt|poweroff|init|systemctl|truncate|iptables|userdel|docker|git|rsync|eval|env|xargs)\s|>/;
