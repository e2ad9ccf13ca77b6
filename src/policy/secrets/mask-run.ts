/**
 * What is started or allowed, without the secrets in it, for the record: the forms that answers are searched for, and
 * whatever stands where a password does, however short or plain it is. A line that is masked too much is understood from
 * what is around it; a password that was written down cannot be taken back.
 *
 * Usual mistake: a repetition without a bound. These lines come from a model.
 */
import type { Redactor } from "../redact.ts";

const MASKED = "[secret]";

const NAME =
  "(?:passw(?:or)?d|passphrase|passcode|secret|token|credential|bearer|(?:api|access|private|auth|signing|encryption|account)[_-]?key|[_-](?:pwd|pin|otp)(?![a-z]))";
const QUOTE = String.raw`\\{0,3}["']`;
const VALUE = String.raw`(?:\\{0,3}"[^"]{0,4096}"|'[^']{0,4096}'|[^\s"'\\;&|<>(){},]{1,4096})`;

/** Each: what stays, and behind it what is masked. */
const FORMS: readonly RegExp[] = [
  // `Authorization: Basic x`, also in a header of a program's own.
  /((?:authorization|cookie|\bx-[a-z-]{0,40}(?:key|token|auth|secret))\\{0,3}["']?\s{0,4}[:=]\s{0,4}\\{0,3}["']?(?:(?:basic|bearer|token|digest|negotiate)\s{1,4})?)([^\s"'\\]{1,4096})/gi,
  // `https://name:x@host`
  /(:\/\/[^\s/:@"'\\]{0,64}:)([^\s/@"'\\]{1,256})(?=@)/g,
  // `curl -u name:x`
  /((?<![\w-])(?:-u|--user|--proxy-user)[\s=]{0,4}\\{0,3}["']?[^\s:"'\\]{1,64}:)([^\s"'\\]{1,256})/g,
  // `sshpass -p x`, `mysql -px`, `redis-cli -a x`, `docker login -p x`
  new RegExp(
    String.raw`((?<![\w-])(?:sshpass\s{1,4}-p\s{0,4}|(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n;|&]{0,200}?\s-p(?=\S)|redis-cli\b[^\n;|&]{0,200}?\s-a\s{0,4}|docker\s{1,4}login\b[^\n;|&]{0,200}?\s-p\s{0,4}))(${VALUE})`,
    "g",
  ),
  // `--token x`, also as two members of a list.
  new RegExp(
    String.raw`((?<![\w-])--?[a-z0-9-]{0,40}${NAME}[a-z0-9-]{0,24}(?:\s{1,8}|${QUOTE},${QUOTE}))(?!-)(${VALUE})`,
    "gi",
  ),
  // `"password=two words"`
  new RegExp(String.raw`(["'][\w.-]{0,40}${NAME}[\w-]{0,24}[=:]\s{0,4})([^"'\\]{1,4096})(?=["'])`, "gi"),
  // `PGPASSWORD=x`, `"token": "x"`, `password: x`
  new RegExp(String.raw`(${NAME}[\w-]{0,24}\\{0,3}["']?\s{0,4}(?:=>|:=|=|:)\s{0,4})(${VALUE})`, "gi"),
];

/** @param redact of answers; what it knows has the same placeholder here */
export function maskRun(text: string, redact: Redactor | undefined): string {
  return FORMS.reduce(
    (line, form) =>
      line.replace(form, (all: string, before: string, value: string) => {
        const [open = ""] = OPENING.exec(value) ?? [];
        const bare = value.slice(open.length, value.length - open.length);
        return SHOWN.test(bare) ? all : before + open + MASKED + open;
      }),
    redact?.(text).text ?? text,
  );
}

const OPENING = /^\\{0,3}["']/;

/** What stands for a value: nothing, a variable, what is masked already. */
const SHOWN = /^(?:|\$\{?\w{1,64}\}?|\[secret(?::[0-9a-f]{6})?\]|\*+|<[\w-]{1,64}>|true|false|null)$/;
