/**
 * The launcher of a host that runs from source, and the moment before a command: what the compiled program is by itself.
 */
import { scrubEnvironment } from "../src/config/index.ts";
import { runAsHelper } from "../src/start/index.ts";

scrubEnvironment();
await runAsHelper();
