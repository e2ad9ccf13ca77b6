/**
 * The launcher of a host that runs from source, and the moment before a command: what the compiled program is by itself.
 */
import { scrubEnvironment } from "../src/config/index.ts";
import { beHelperIfAsked } from "../src/start/index.ts";

scrubEnvironment();
await beHelperIfAsked();
