/**
 * `ringfence notify` as a service of the user: a unit for systemd, or an agent for launchd. The texts are pure; who writes them asks
 * for nothing but the folder of the user's own services.
 */
import { join } from "node:path";

export interface UserService {
  /** Where it is read from. */
  readonly path: string;
  readonly text: string;
  /** The command that starts it now and at every login. */
  readonly start: string;
}

/** Stands in every text that is written here, so that another's file is never replaced. */
export const SERVICE_MARK = "written by ringfence notify --install";

interface ServiceHome {
  readonly home: string;
  /** XDG_CONFIG_HOME, where it is set. */
  readonly configHome?: string | undefined;
}

/** @param command absolute, with its arguments. @returns `undefined` on a system without services of a user */
export function userService(
  command: readonly string[],
  { home, configHome = join(home, ".config") }: ServiceHome,
  platform: string,
): UserService | undefined {
  if (platform === "linux")
    return {
      path: join(configHome, "systemd", "user", "ringfence-notify.service"),
      text: systemdUnit(command),
      start: "systemctl --user daemon-reload && systemctl --user enable --now ringfence-notify.service",
    };
  if (platform !== "darwin") return undefined;
  const path = join(home, "Library", "LaunchAgents", "dev.ringfence.notify.plist");
  return { path, text: launchdAgent(command), start: `launchctl bootstrap gui/$(id -u) '${path}'` };
}

function systemdUnit(command: readonly string[]): string {
  return `# ${SERVICE_MARK}
[Unit]
Description=Notices of ringfence proposals that wait for you

[Service]
ExecStart=${command.map(systemdWord).join(" ")}
Restart=on-failure
RestartSec=30
NoNewPrivileges=yes
MemoryHigh=256M

[Install]
WantedBy=default.target
`;
}

/** Quoted as systemd.syntax(7) says; a percent sign begins a specifier and a dollar sign a variable. */
function systemdWord(word: string): string {
  const escaped = word.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%").replaceAll("$", "$$$$");
  return /^[\w@:,./=+-]+$/.test(word) ? word : `"${escaped}"`;
}

function launchdAgent(command: readonly string[]): string {
  const words = command.map((word) => `    <string>${xmlText(word)}</string>`).join("\n");
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${SERVICE_MARK} -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>dev.ringfence.notify</string>
  <key>ProgramArguments</key>
  <array>
${words}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
</dict>
</plist>
`;
}

function xmlText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
