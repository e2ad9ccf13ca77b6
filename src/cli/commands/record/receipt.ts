/**
 * `ringfence receipt`: what the record says of one call, in a file that others verify without the record; and whether such a
 * file is genuine.
 */
import { hasSigningKey, makeReceipt, openSigningKey, verifyReceipt } from "../../../audit/index.ts";
import { Failure } from "../../../base/index.ts";
import { loadConfig } from "../../../config/index.ts";
import { findStateFolder, type StateFolder } from "../../../state/index.ts";
import {
  configFlags,
  EXIT,
  JSON_FLAG,
  STATE_FLAG,
  UsageError,
  type CliCommand,
  type ExitCode,
  type TypedArguments,
} from "../../command.ts";
import { print, printJson, printText } from "../../print.ts";
import { readNamedFile, readPublicKey } from "./public-key.ts";

export const receiptCommand: CliCommand = {
  about: "Print a signed receipt of one call, or verify one.",
  takes: "AUDIT_ID | verify FILE",
  most: 2,
  flags: {
    ...STATE_FLAG,
    ...JSON_FLAG,
    whole: { about: "With AUDIT_ID: also the lines between, of other calls, so that the signed head alone proves it." },
    key: { about: "With verify: the public key of the record, from elsewhere.", value: "FILE" },
  },
  examples: [
    "ringfence receipt 20261123T093000000Z-a1B2c3D4:000000002 > receipt.json",
    "ringfence audit key > key.pem",
    "ringfence receipt verify receipt.json --key key.pem",
  ],
  async run(typed) {
    const [id, file] = typed.positionals;
    if (id === undefined) throw new UsageError("receipt takes an AUDIT_ID, or verify and a FILE");
    const { config } = await loadConfig(configFlags(typed), {}, false);
    const folder = findStateFolder(config.stateDir);
    if (id === "verify") return verify(folder, file, typed);
    if (file !== undefined) throw new UsageError(`the argument ${JSON.stringify(file)} is one too many`);
    print(makeReceipt(folder, id, typed.has("whole")).text);
    return EXIT.ok;
  },
};

function verify(folder: StateFolder, file: string | undefined, typed: TypedArguments): ExitCode {
  if (file === undefined) throw new UsageError("receipt verify takes the FILE of a receipt");
  const report = verifyReceipt(readNamedFile(file), publicKeyOf(folder, typed.one("key")));
  if (typed.has("json")) printJson(report, 2);
  else if (!report.isGenuine)
    printText([...report.problems.map((problem) => `BAD  ${problem}`), "The receipt is not genuine."].join("\n"));
  else {
    const said = Object.entries(report.says ?? {}).map(
      ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
    );
    const proven = report.proven === "chain" ? "the chain up to the signed head" : "the signature of its issuer";
    printText([`call: ${report.call}`, ...said, `The receipt is genuine, by ${proven}.`].join("\n"));
  }
  return report.isGenuine ? EXIT.ok : EXIT.failed;
}

/** Without a key from elsewhere, the one of the record here is meant. @throws Failure where there is none */
function publicKeyOf({ keys }: StateFolder, file: string | undefined): string {
  if (file === undefined && !hasSigningKey(keys))
    throw new Failure("invalid_input", "Cannot verify the receipt: there is no record here, so no key to verify with", {
      hint: "Give the public key of whoever issued it: --key FILE. They print it with ringfence audit key.",
    });
  return file === undefined ? openSigningKey(keys).publicKey : readPublicKey(file);
}
