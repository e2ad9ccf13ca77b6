/**
 * Code of another language on a command line (`python -c`, `perl -e`, `awk`), which is not parsed. It is asked about in
 * any case; this looks for what would make it a refusal: shell commands in its strings, and the shape of a reverse shell.
 *
 * Usual mistake: to take "nothing found" for "harmless". Nothing found still means ask.
 */
import { askOpaque, deny, judge, onlyDenials, type Judgement } from "../../model.ts";
import type { Context } from "../call.ts";

export function scanCode(code: string, context: Context): Judgement {
  const isHidden =
    EVALUATES.test(code) ||
    FEEDS_SHELL.test(code) ||
    STARTS_UNTOLD.test(code) ||
    (DECODES.test(code) && STARTS_PROGRAM.test(code));
  return judge(
    isHidden && askOpaque("the code it runs is made or decoded when it runs"),
    scanForRefusal(code, context),
  );
}

/** Code that evaluates text, or starts programs by words that do not stand in it. */
const EVALUATES =
  /(?<![.\w$])(?:exec|execfile|compile|load|loadstring|__import__|create_function)\s*\(|\beval\b(?!\s*\{)|\b(?:instance|class|module)_eval\b|\bnew\s+Function\b|(?<![.\w])Function\s*\(|\b(?:vm\.run\w*|marshal\.loads?|pickle\.loads?|runpy\.\w+)\s*\(/;
/** A pipe of awk into a shell, or from and into a command that is not a literal. */
const FEEDS_SHELL =
  /\|&?\s*["'](?:[^\s"']*\/)?(?:ba|da|z|k)?sh\b|[\w$\])]\s*\|&?\s*getline\b|\bprintf?\b[^"';}|\n]{0,500}\|&?\s*[A-Za-z_$]/;
/** A call that starts a program and does not begin with a whole literal. */
const STARTS_UNTOLD =
  /(?:\b(?:system|popen|shell_exec|passthru|proc_open|execSync|spawn(?:Sync|lp?|vp?)?|execFile(?:Sync)?|exec[lv]p?e?|check_output|check_call|getoutput)|\bsubprocess\.(?:run|call|Popen)|\bchild_process["')\]]*\.exec)\s{0,20}\(\s{0,20}(?!\[?\s{0,20}[rbu]{0,2}(?:"[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*')\s{0,20}[,)\]])|\b(?:system|exec)\s{1,20}[$@]|\bqx\s{0,9}\W[^\n]{0,500}[$@]|%x\W[^\n]{0,500}#\{|`[^`\n]{0,500}(?:[$@]\w|#\{)[^`\n]{0,500}`|\bopen\b[^;\n]{0,200}(?:["']\s{0,9}\|[^"'\n]{0,200}[$@]\w|[$@]\w[^"'\n]{0,200}\|\s{0,9}["'])/;
const DECODES =
  /b64|base64|base32|\batob\b|fromhex|unhex|decompress|inflate|gunzip|fromCharCode|fromCodePoint|\bcodecs\b|rot_?13|\bunpack\b|\bpack\b|\.decode\b|\bchr\b|\\x[0-9a-f]{2}|\\[0-7]{3}/i;

function scanForRefusal(code: string, context: Context): Judgement {
  if (CONNECTS.test(code) && TAKES_SHELL.test(code)) return judge(deny("it would connect a shell to another machine"));
  if (FETCHES.test(code) && RUNS_TEXT.test(code)) return judge(deny("it would download code and run it"));
  if (REMOVES_TREE.test(code)) return judge(deny("it would remove a whole system folder"));
  if (!STARTS_PROGRAM.test(code)) return judge();
  return judge(...stringsOf(code).map((text) => onlyDenials(context.assessText(text))));
}

const CONNECTS =
  /\bsocket\b|\bfsockopen\b|\bTCPSocket\b|\bTcpClient\b|\bTCPClient\b|\bnet\.(?:connect|Socket|createConnection)\b|\bIO::Socket\b|\buse Socket\b|\/inet\/tcp|\/dev\/tcp|\bSocket\.tcp\b/i;
const TAKES_SHELL =
  /\bdup2\b|\bpty\b|\bsubprocess\b|\bspawn\b|\bexec\w*\b|\bproc_open\b|\bshell_exec\b|\bsystem\b|\bpopen\b|\/bin\/(?:ba|z|da)?sh\b|\bcmd(?:\.exe)?\b|\biex\b|\bsh\b/i;
const FETCHES =
  /\burlopen\b|\burllib\b|\brequests\.get\b|\bhttps?:\/\/|\bLWP::Simple\b|\bfile_get_contents\b|\bopen-uri\b|\bDownloadString\b|\bInvoke-WebRequest\b|\biwr\b|\bfetch\(/i;
const RUNS_TEXT = /\bexec\s*\(|\beval\b|\biex\b|\bInvoke-Expression\b|\bnew Function\b|\|\s*(?:ba|z|da)?sh\b/i;
const REMOVES_TREE =
  /\b(?:rmtree|rmSync|rmdirSync|rm_rf|rm_r|remove_tree|remove_entry|removeSync|rimraf(?:\.sync)?)\b[\s(]*["'](?:\/|~|\/(?:home|etc|usr|var|bin|lib|boot|root))\/?["']/;
const STARTS_PROGRAM =
  /\bsystem\b|\bexec\w*\b|\bpopen\w*\b|\bspawn\w*\b|\bsubprocess\b|\bchild_process\b|\bqx\b|`|\bshell\w*\b|\bpassthru\b|\bgetline\b|\||\bos\.|:!|^!|\bcall\b|\brun\b|%x|\bOpen3\b|\bKernel\b|\bCommand\b/i;

/** Quoted pieces, and lists of quoted pieces joined to a command: `["rm", "-rf", "/"]`. */
function stringsOf(code: string): string[] {
  const pieces = [
    ...code.matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`([^`]*)`/gs),
    ...code.matchAll(/(?:\bqx|%x)\s{0,9}(?:\{([^}]{0,500})\}|\(([^)]{0,500})\)|\[([^\]]{0,500})\]|<([^>]{0,500})>)/gs),
    ...code.matchAll(/(?:\bqx|%x)\s{0,9}(?<sign>[/|!#,~^%])(.{0,500}?)\k<sign>/gs),
  ];
  const texts = pieces.map((piece) =>
    piece
      .slice(piece.groups === undefined ? 1 : 2)
      .join("")
      .replace(/\\(["'\\])/g, "$1"),
  );
  const lists = [...code.matchAll(/[[(]\s*((?:["'][^"']*["']\s*,\s*)+["'][^"']*["'])\s*,?\s*[\])]/g)];
  const joined = lists.map(([, list = ""]) => list.replace(/["']\s*,\s*["']/g, " ").replace(/^["']|["']$/g, ""));
  const commands = [...code.matchAll(/(?:^|:)!\s*(.+)/g)].map(([, text = ""]) => text);
  return [...texts, ...joined, ...commands].filter((text) => WORTH_READING.test(text)).slice(0, MAX_STRINGS);
}

const MAX_STRINGS = 100;
/** Programs that a refusal can come from; the text of a message has none of them at its start or behind an operator. */
const WORTH_READING =
  /(?:^|[\s;|&(/])(?:rm|sudo|su|doas|pkexec|mkfs\S*|wipefs|dd|shred|mv|cp|tee|chmod|chown|find|curl|wget|nc|ncat|bash|sh|kill|pkill|killall|shutdown|reboot|halt|poweroff|init|systemctl|truncate|iptables|userdel|docker|git|rsync|eval|env|xargs)\s|>/;
