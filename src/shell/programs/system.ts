/**
 * Programs that act on the machine, its users, its disks and its processes. Most of what is refused whatever the
 * arguments stands here.
 */
import {
  asks,
  named,
  touchLoosely,
  usePaths,
  type CommandCall,
  type Program,
  type ProgramTable,
} from "../model/call.ts";
import { ask, deny, judged, merge, type Judgement } from "../model/judgement.ts";
import { UNKNOWN } from "../model/parts.ts";
import { readLoosely } from "./reader.ts";

function denies(reason: string): Program {
  return (call) => merge([judged(deny(`it would ${reason}`)), touchLoosely(call)]);
}

/** Refused when an argument says so, else asked about. */
function deniesWhen(pattern: RegExp, reason: string): Program {
  return (call) => {
    const words = call.args.map(({ text }) => text).join(" ");
    return merge([
      judged(ask("it acts on the system", "R4"), ...(pattern.test(words) ? [deny(`it would ${reason}`)] : [])),
      touchLoosely(call),
    ]);
  };
}

export const SYSTEM: ProgramTable = {
  ...named("shutdown reboot halt poweroff telinit init kexec", denies("stop or restart the machine")),
  ...named(
    "systemctl loginctl",
    deniesWhen(
      /\b(?:poweroff|reboot|halt|kexec|soft-reboot|rescue|emergency|suspend|hibernate|isolate|mask|terminate-user|kill-user|(?:stop|disable)\s.*(?:fire\w*|ufw|apparmor|auditd|iptables|nftables|ssh\w*|network\w*|systemd-\w+))/,
      "stop the machine or its guards",
    ),
  ),
  service: deniesWhen(
    /\b(?:fire\w*|ufw|apparmor|auditd|iptables|ssh\w*|network\w*)\s+stop\b/,
    "stop the guards of the machine",
  ),
  ...named(
    "mkfs mke2fs mkswap mkntfs newfs wipefs blkdiscard sgdisk sfdisk cfdisk fdisk parted gdisk cryptsetup badblocks diskpart format vssadmin",
    judgeDisk,
  ),
  diskutil: deniesWhen(/\b(?:erase|partition|zero|secureErase|reformat)/i, "erase a disk"),
  ...named(
    "zpool zfs lvremove vgremove pvremove mdadm btrfs hdparm nvme",
    deniesWhen(
      /\b(?:destroy|remove|zero-superblock|format|delete)\b|--(?:security-erase|trim-sector-ranges|make-bad-sector|zero-superblock)/,
      "erase a disk",
    ),
  ),
  ...named(
    "useradd userdel usermod groupadd groupdel groupmod adduser deluser addgroup delgroup gpasswd passwd chpasswd chsh vipw vigr visudo chage dscl",
    denies("change who may use the machine"),
  ),
  ...named("insmod modprobe rmmod kmod kextload kextunload", denies("change the kernel")),
  ...named(
    "setenforce csrutil aa-disable aa-teardown aa-complain setsebool bcdedit kldload",
    denies("weaken the system"),
  ),
  spctl: deniesWhen(/disable/, "weaken the system"),
  auditctl: deniesWhen(/-e\s*0|-D/, "weaken the system"),
  ...named(
    "iptables ip6tables nft ebtables",
    deniesWhen(/(?:^|\s)(?:-F|--flush|-X|flush|-P\s+\w+\s+ACCEPT|delete)\b/, "open the firewall"),
  ),
  ...named(
    "ufw firewall-cmd pfctl",
    deniesWhen(/\b(?:disable|reset|panic-off|--remove|stop)|-d\b|-F\b/, "open the firewall"),
  ),
  netsh: deniesWhen(/firewall.*off|reset/i, "open the firewall"),
  setcap: denies("let a program run with more rights"),
  ...named("kill pkill killall killall5 skill taskkill xkill tskill", judgeKill),
  ringfence: (call) =>
    merge([
      judged(
        ask("it starts this host"),
        ...(call.args.some(({ text }) => /^(?:proposals?|apply|approve|undo|config)$/.test(text))
          ? [deny("it would decide for the person who is asked")]
          : []),
      ),
      touchLoosely(call),
    ]),
  ...named("crontab launchctl schtasks", judgeSchedule),
  ...named("remove-item ri", judgeWindowsRemove),
  reg: deniesWhen(/\b(?:delete|add|import)\s+"?HK/i, "change the system"),
  ...named(
    "mount umount swapoff swapon losetup sysctl dmesg hostnamectl timedatectl localectl nmcli update-alternatives ldconfig depmod grub-install update-grub efibootmgr ps lsof top htop who w last df free uptime lsblk journalctl gpg ssh-add ssh-keygen ssh-agent security pass keyctl wall write sleep yes hwclock ntpdate",
    asks("it shows or changes the system"),
  ),
};

/** Looking at partitions is asked about; writing them is refused. */
function judgeDisk(call: CommandCall): Judgement {
  const onlyLooks = call.args.some(({ text }) =>
    /^(?:-l|--list|print|-p|status|luksDump|--help|--version)$/.test(text),
  );
  return judged(onlyLooks ? ask("it looks at the disks", "R4") : deny("it would write a disk"));
}

/** `-1` is every process of the user, 1 the first one; the parent of the shell is this host. */
function judgeKill(call: CommandCall): Judgement {
  const words = call.args.map(({ text }) => text);
  const asked = ask("it ends processes", "R4");
  const wholeUser =
    call.name !== "kill" &&
    (call.name === "killall5" ||
      words.some((text) => /^(?:-u|-U|-G|--user|--euid|--uid|-9u)/.test(text)) ||
      words.some((text) => /^(?:\.|\.\*|\^|.?|-1)$/.test(text)));
  const targets = words.filter(
    (text, at) =>
      !/^-(?:s|n|-signal)$/.test(words[at - 1] ?? "") && !(at === 0 && text.startsWith("-") && text !== "--"),
  );
  const everyone = call.name === "kill" && targets.some((text) => /^(?:-1|1|0*1)$/.test(text));
  const own = call.args.some(
    ({ text, raw, commands }) =>
      /ringfence/.test(text) ||
      /\$\{?PPID\b/.test(raw) ||
      commands.some((command) => /ringfence|PPID/.test(command.text)),
  );
  if (own) return judged(asked, deny("it would end this host"));
  return judged(asked, ...(wholeUser || everyone ? [deny("it would end processes that are not the caller's")] : []));
}

function judgeSchedule(call: CommandCall): Judgement {
  const texts = call.command.fedBy
    .flatMap(({ args }) => args.slice(1).map(({ text }) => text))
    .filter((text) => !text.includes(UNKNOWN));
  return merge([
    judged(ask("it keeps a command for later", "R4")),
    ...texts.map((text) => call.context.assessText(text.replace(/^(?:[\d*/,@-]\S*\s+){5}/, ""), [])),
    touchLoosely(call),
  ]);
}

function judgeWindowsRemove(call: CommandCall): Judgement {
  return merge([judged(ask("it removes", "R4")), usePaths(call, readLoosely(call.args).operands, "remove", true)]);
}
