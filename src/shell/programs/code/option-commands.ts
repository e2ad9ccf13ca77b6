/**
 * Commands that stand as the value of an option, and that the program hands to a shell or starts: `tar -I x`, `rsync -e x`. They
 * are judged as if they stood alone, whatever else is said of the program.
 */
import { judge, textsOf, type Judgement } from "../../model.ts";
import type { CommandCall } from "../call.ts";

export function judgeOptionCommands({ name, args, context }: CommandCall): Judgement {
  const option = OPTIONS.get(name);
  if (option === undefined) return judge();
  const texts = textsOf(args).flatMap((text, at, all) => {
    const [, given = text, glued] = /^(--[\w-]+)=(.*)$/s.exec(text) ?? /^(-\w)(.+)$/s.exec(text) ?? [];
    if (option.test(text)) return all[at + 1] ?? [];
    return glued !== undefined && option.test(given) ? glued : [];
  });
  return judge(...texts.map((text) => context.assessText(text.replace(/^exec=/, ""))));
}

const TAR =
  /^(?:-[a-zA-Z]*[IF]|--(?:use-compress-program|to-command|checkpoint-action|(?:info|new-volume)-script|rsh-command))$/;

/** A letter may be the last one of a bundle: `tar -cI x`. */
const OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ["tar", TAR],
  ["bsdtar", TAR],
  ["cpio", /^--rsh-command$/],
  ["zip", /^(?:-TT|--unzip-command)$/],
  ["rsync", /^(?:-[a-zA-Z]*e|--rsh|--rsync-path)$/],
  ["scp", /^-[a-zA-Z0-9]*S$/],
  ["sftp", /^-[a-zA-Z0-9]*S$/],
  ["man", /^(?:-[a-zA-Z]*[PH]|--(?:pager|html))$/],
  ["npm", /^(?:-c|--call)$/],
  ["pnpm", /^(?:-c|--shell-mode)$/],
]);
