/**
 * Programs that tell about the machine, the user and the time, and nothing of other processes or of the environment.
 * The same programs set the clock or the host name when they are given an operand.
 */
import { named, type ProgramTable } from "../call.ts";
import { ask, type Finding } from "../judgement.ts";
import { reader } from "./reader.ts";

export const SYSTEM_READERS: ProgramTable = {
  uname: reader({
    operands: "none",
    options: "-a -s -n -r -v -m -p -i -o --all --kernel-name --nodename --machine",
  }),
  id: reader({
    operands: "text",
    most: 1,
    options: "-u -g -G -n -r -z --user --group --groups --name --real",
  }),
  ...named("whoami logname arch", reader({ operands: "none" })),
  groups: reader({ operands: "text", most: 1 }),
  nproc: reader({ operands: "none", options: "--all" }),
  tty: reader({ operands: "none", options: "-s" }),
  hostname: reader({ operands: "none", options: "-s" }),
  date: reader({
    operands: "text",
    most: 1,
    options: "-u -R -I=? -d= --utc --universal --rfc-email --iso-8601=? --rfc-3339= --date=",
    refused: { "-s": "sets the clock", "--set": "sets the clock", "-f": "prints lines of a file" },
    check: ({ operands, options }) => [
      ...(operands.every(({ text }) => text.startsWith("+"))
        ? []
        : [ask("an operand of date sets the clock")]),
      ...options.flatMap(({ name, value }) => (/^(?:-d|--date)$/.test(name) ? askForZone(value?.text) : [])),
    ],
  }),
};

/** GNU dates may begin with `TZ="..."`, which opens the file that it names, wherever it lies. */
export function askForZone(date: string | undefined): Finding[] {
  return date === undefined || !/["\\]|TZ/i.test(date) ? [] : [ask("a date may name a file of a time zone")];
}
