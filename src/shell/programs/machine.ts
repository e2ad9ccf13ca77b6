/**
 * Programs that act on the machine, its users, its disks and its processes, and those that reach other machines, fetch
 * packages or start containers. Most of what is refused whatever the arguments stands here. What flows between a connection
 * and a shell is a matter of `flows.ts`; here stands what one call alone says: a shell handed to a connection, the host
 * handed to a container.
 */
import { UNKNOWN, ask, deny, judge, textsOf, type Arg, type Judgement } from "../model.ts";
import { isSecret, placeOf } from "../places.ts";
import {
  inputTexts,
  programs,
  readLoosely,
  touchLoosely,
  usePaths,
  type CommandCall,
  type ProgramTable,
} from "./call.ts";
import { writtenFiles } from "./written-files.ts";

export const MACHINE: ProgramTable = programs(
  String.raw`
would stop or restart the machine: shutdown reboot halt poweroff telinit init kexec
would stop the machine or its guards, given /\b(?:poweroff|reboot|halt|kexec|soft-reboot|rescue|emergency|suspend|hibernate|isolate|mask|terminate-user|kill-user|(?:stop|disable)\s.*(?:fire\w*|ufw|apparmor|auditd|iptables|nftables|ssh\w*|network\w*|systemd-\w+))/: systemctl loginctl
would stop the guards of the machine, given /\b(?:fire\w*|ufw|apparmor|auditd|iptables|ssh\w*|network\w*)\s+stop\b/: service
disk: mkfs mke2fs mkswap mkntfs mkdosfs mkexfatfs mkudffs newfs wipefs blkdiscard sgdisk sfdisk cfdisk fdisk parted gdisk
  cryptsetup badblocks diskpart format vssadmin
would erase a disk, given /\b(?:erase|partition|zero|secureErase|reformat|delete(?:volume|container|partition)?\b)/i: diskutil
would erase a disk, given /\b(?:destroy|remove(?:_all)?|wipe_table|labelclear|zero-superblock|format|delete)\b|--(?:security-erase|trim-sector-ranges|make-bad-sector|zero-superblock)/: zpool zfs mdadm btrfs hdparm nvme dmsetup bcachefs
would erase a disk: lvremove vgremove pvremove lvreduce sg_format sg_sanitize
would change who may use the machine: useradd userdel usermod groupadd groupdel groupmod adduser deluser addgroup delgroup
  gpasswd passwd chpasswd chsh vipw vigr visudo chage dscl
would change the kernel: insmod modprobe rmmod kmod kextload kextunload
would weaken the system: setenforce csrutil aa-disable aa-teardown aa-complain setsebool bcdedit kldload
would weaken the system, given /disable/: spctl
would weaken the system, given /-e\s*0|-D/: auditctl
would open the firewall, given /(?:^|\s)(?:-[FXD]|--flush|--delete(?:-chain)?|flush|(?:-P|--policy)\s+\w+\s+ACCEPT|delete|destroy)\b/: iptables ip6tables
  iptables-legacy ip6tables-legacy iptables-nft ip6tables-nft nft ebtables arptables ipset ipfw
would open the firewall, given /\b(?:disable|reset|panic-off|--remove|stop|default\s+allow)|-d\b|-F\b|--set-target[=\s]ACCEPT|--set-default-zone[=\s]trusted|^(?=.*--zone[=\s]trusted).*--(?:add|change)-/: ufw
  firewall-cmd firewall-offline-cmd pfctl shorewall csf
would open the firewall, given /firewall.*off|reset/i: netsh socketfilterfw
would open the firewall, given /false|off/i: set-netfirewallprofile
would let a program run with more rights: setcap
would change the system, given /\b(?:delete|add|import)\s+"?HK/i: reg
kill: kill pkill killall killall5 skill taskkill xkill tskill
host: ringfence
mount: mount umount
schedule: crontab launchctl schtasks
remove: remove-item ri
transfer: curl wget fetch http https httpie aria2c axel lynx w3m links xh curlie lftp ftp sftp tftp rclone s3cmd aws gsutil
  az gcloud doctl invoke-webrequest iwr
connection: nc ncat netcat nc.openbsd nc.traditional telnet socat openssl
container: docker podman nerdctl ctr lxc lxd buildah runc docker-compose
R4 it reaches or changes the network: dig nslookup host ping ping6 traceroute tracepath mtr whois nmap arp route ip ifconfig
  iwconfig ss netstat tcpdump tshark dhclient resolvectl
R4 it acts on a remote service with the user's rights: gh glab hub jira heroku vercel netlify fly kubectl oc helm k9s
  minikube argocd
R4 it installs, publishes or runs packages: npm pnpm yarn pip pip3 uv poetry conda mamba gem bundle composer apt apt-get
  aptitude dpkg yum dnf rpm zypper pacman apk brew port snap flatpak nix nix-env nix-shell choco winget scoop cpan luarocks
  opam stack cabal corepack easy_install
R4 it lets a key log in on another machine: ssh-copy-id
it shows or changes the system: swapoff swapon losetup sysctl dmesg hostnamectl timedatectl localectl nmcli
  update-alternatives ldconfig depmod grub-install update-grub efibootmgr ps lsof top htop who w last df free uptime lsblk
  journalctl gpg ssh-add ssh-keygen ssh-agent security pass keyctl wall write sleep yes hwclock ntpdate
`,
  {
    disk: judgeDisk,
    kill: judgeKill,
    schedule: judgeSchedule,
    transfer: judgeTransfer,
    connection: judgeConnection,
    container: judgeContainer,
    mount: judgeMount,
    host: (call) =>
      judge(
        ask("it starts this host"),
        call.args.some(({ text }) => /^(?:proposals?|apply|approve|undo|config)$/.test(text)) &&
          deny("it would decide for the person who is asked"),
        touchLoosely(call),
      ),
    remove: (call) => judge(ask("it removes", "R4"), usePaths(call, readLoosely(call.args).operands, "remove", true)),
  },
);

/** What lies in a folder of the system is not hidden, taken away or made writable by what is mounted there. */
function judgeMount(call: CommandCall): Judgement {
  const isAway = call.name === "umount";
  const folders = readLoosely(call.args).operands.filter(
    ({ text }) => /^[/.~]/.test(text) && !text.startsWith("/dev/"),
  );
  const isEach = isAway && call.args.some(({ text }) => /^(?:-[a-zA-Z]*a[a-zA-Z]*|--all)$/.test(text));
  return judge(
    ask("it shows or changes what is mounted", "R4"),
    isEach && deny("it would take all file systems away"),
    usePaths(call, isAway ? folders : folders.slice(-1), "write"),
    touchLoosely(call),
  );
}

/** Looking at partitions is asked about; writing them is refused. */
function judgeDisk({ args }: CommandCall): Judgement {
  const onlyLooks = args.some(({ text }) => /^(?:-l|--list|print|-p|status|luksDump|--help|--version)$/.test(text));
  return judge(onlyLooks ? ask("it looks at the disks", "R4") : deny("it would write a disk"));
}

/** `-1` is every process of the user, 1 the first one; the parent of the shell is this host. */
function judgeKill({ name, args }: CommandCall): Judgement {
  const texts = textsOf(args);
  const wholeUser =
    name === "killall5" ||
    texts.some((text) => /^(?:-u|-U|-G|--user|--euid|--uid|-9u)/.test(text) || /^(?:\.|\.\*|\^|.?|-1)$/.test(text));
  const everyone = texts.some(
    (text, at) =>
      /^(?:-1|0*1)$/.test(text) && !/^-(?:s|n|-signal)$/.test(texts[at - 1] ?? "") && (at > 0 || text !== "-1"),
  );
  const own = args.some(
    ({ text, raw, commands }) =>
      /ringfence/.test(text) ||
      /\$\{?PPID\b/.test(raw) ||
      commands.some((command) => /ringfence|PPID/.test(command.text)),
  );
  const others = name === "kill" ? everyone : wholeUser;
  return judge(
    ask("it ends processes", "R4"),
    own && deny("it would end this host"),
    !own && others && deny("it would end processes that are not the caller's"),
  );
}

function judgeSchedule(call: CommandCall): Judgement {
  const fed = call.command.fedBy.flatMap(({ args }) => textsOf(args.slice(1)));
  const texts = [...fed, ...inputTexts(call).flatMap((text) => text.split("\n"))];
  return judge(
    ask("it keeps a command for later", "R4"),
    ...texts
      .filter((text) => !text.includes(UNKNOWN))
      .map((text) => call.context.assessText(text.replace(/^(?:@\w+\s+|(?:[\d*/,@-]\S*\s+){5})/, ""))),
    touchLoosely(call),
  );
}

function judgeTransfer(call: CommandCall): Judgement {
  const sent = call.args.flatMap((arg, at): Arg[] => {
    const before = call.args[at - 1]?.text;
    const text = SENDS.test(before ?? "")
      ? arg.text
      : (/^-(?:-data(?:-\w+)?|-form|-upload-file|-post-file|d|F|T)=?(.*)$/s.exec(arg.text)?.[1] ?? "");
    const isFile = /^(?:-T|--upload-file|--post-file)/.test(before ?? arg.text);
    const path = /@(.+)$/s.exec(text)?.[1]?.replace(/;.*/s, "") ?? (isFile ? text : "");
    return path === "" || path === "-" ? [] : [{ ...arg, text: path }];
  });
  return judge(
    ask("it reaches the network", "R4"),
    sent.some(({ text }) => isSecret(text) || text.startsWith("/etc/")) &&
      deny("it would send secrets to another machine"),
    usePaths(call, sent, "read"),
    usePaths(call, writtenFiles(call), "write"),
    touchLoosely(call),
  );
}

const SENDS = /^(?:-d|-F|-T|--data(?:-\w+)?|--form|--upload-file|--post-file|--body-file)$/;

function judgeConnection(call: CommandCall): Judgement {
  const texts = textsOf(call.args);
  const joined = texts.join(" ");
  const handsShell =
    call.name === "socat"
      ? /\b(?:exec|system):/i.test(joined) && /\b(?:tcp|udp|openssl|ssl|vsock|sctp)/i.test(joined)
      : !/^(?:openssl|telnet)$/.test(call.name) && texts.slice(0, -1).some((text) => EXECUTES.test(text));
  return judge(
    ask("it opens a connection", "R4"),
    handsShell && deny("it would connect a shell to another machine"),
    touchLoosely(call),
  );
}

const EXECUTES = /^(?:-[a-z]*[ec]|--exec|--sh-exec|--lua-exec)$/;

function judgeContainer({ args, context: { surfaces } }: CommandCall): Judgement {
  const texts = textsOf(args);
  // The value of an option may be glued to it or the next word.
  const given = texts.flatMap((text, at) => (/^-[^=]+$/.test(text) ? [text, `${text}=${texts[at + 1] ?? ""}`] : text));
  const mounts = given.flatMap((text) => {
    const value = MOUNT.exec(text)?.[1];
    return value === undefined ? [] : (/(?:source|src)=([^,]+)/.exec(value)?.[1] ?? value.replace(/:.*$/s, ""));
  });
  const handsHost =
    given.some((text) => ESCAPES.test(text)) ||
    mounts.some(
      (path) =>
        /(?:docker|containerd|podman)\.sock/.test(path) ||
        surfaces.slice(0, 1).some((at) => !["other", "harmless-device"].includes(placeOf(path, false, at))),
    );
  return judge(ask("it starts a container", "R4"), handsHost && deny("it would hand this machine to a container"));
}

/** `-itv` is a bundle. */
const MOUNT = /^(?:-[itdqP]*v=?|--(?:volume|mount|device)=)(.+)$/s;
const ESCAPES =
  /^--(?:privileged(?:=(?!(?:0|f|false)$).*)?|cap-add(?:=.*)?|(?:pid|userns|ipc|uts)=host|security-opt=.*(?:unconfined|disable).*)$/i;
