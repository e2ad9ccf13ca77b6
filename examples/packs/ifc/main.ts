/**
 * A host with the built-in tools and convert_ifc:
 *
 *     npm run build -- --entry=examples/packs/ifc/main.ts --out=dist/ifc-host
 *     dist/ifc-host DIR...
 */
import { Failure, runHost } from "ringfence";
import { ifcCommands, ifcPack, OTHER_COMMAND_TOOLS } from "./ifc-pack.ts";

try {
  await runHost({
    roots: process.argv.slice(2),
    packs: [ifcPack],
    packSettings: { ifc: {} },
    commands: ifcCommands(),
    toolList: { deny: OTHER_COMMAND_TOOLS },
  });
} catch (thrown) {
  if (!(thrown instanceof Failure)) throw thrown;
  process.stderr.write(`ifc-host: ${thrown.message}\nUsage: ifc-host DIR...\n`);
  process.exitCode = 2;
}
