/**
 * The clients whose files we write, in the order in which they are shown.
 */
import type { ClientRow } from "../client.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { cursor } from "./cursor.ts";
import { geminiCli } from "./gemini-cli.ts";
import { opencode } from "./opencode.ts";
import { vsCode } from "./vs-code.ts";

export const CLIENTS: readonly ClientRow[] = [claudeCode, codex, geminiCli, opencode, cursor, vsCode];
