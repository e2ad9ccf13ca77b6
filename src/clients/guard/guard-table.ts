/**
 * The clients whose hooks `ringfence guard` answers.
 */
import { claudeCodeGuard } from "./claude-code.ts";
import { codexGuard } from "./codex.ts";
import { cursorGuard } from "./cursor.ts";
import { geminiCliGuard } from "./gemini-cli.ts";
import type { GuardRow } from "./guard-row.ts";

export const GUARDS: readonly GuardRow[] = [claudeCodeGuard, codexGuard, cursorGuard, geminiCliGuard];
