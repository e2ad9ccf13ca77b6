/**
 * Programs that reach other machines, fetch packages, or start containers. What flows between them and a shell is a
 * matter of `flows.ts`; here stands what one call alone says: a shell handed to a connection, the host handed to a container.
 */
import { asks, named, touchLoosely, usePaths, type CommandCall, type ProgramTable } from "../model/call.ts";
import { ask, deny, judged, merge, type Judgement } from "../model/judgement.ts";
import type { Arg } from "../model/parts.ts";
import { isSecret, placeOf } from "../model/places.ts";

export const NETWORK: ProgramTable = {
  ...named(
    "curl wget fetch http https httpie aria2c axel lynx w3m links xh curlie lftp ftp sftp tftp rclone s3cmd aws gsutil az gcloud doctl invoke-webrequest iwr",
    judgeTransfer,
  ),
  ...named("nc ncat netcat nc.openbsd nc.traditional telnet socat openssl", judgeConnection),
  ...named(
    "dig nslookup host ping ping6 traceroute tracepath mtr whois nmap arp route ip ifconfig iwconfig ss netstat tcpdump tshark dhclient resolvectl",
    asks("it reaches or changes the network", "R4"),
  ),
  ...named(
    "gh glab hub jira heroku vercel netlify fly kubectl oc helm k9s minikube argocd",
    asks("it acts on a remote service with the user's rights", "R4"),
  ),
  ...named(
    "npm pnpm yarn pip pip3 uv poetry conda mamba gem bundle composer apt apt-get aptitude dpkg yum dnf rpm zypper pacman apk brew port snap flatpak nix nix-env nix-shell choco winget scoop cpan luarocks opam stack cabal corepack easy_install",
    asks("it installs, publishes or runs packages", "R4"),
  ),
  ...named("docker podman nerdctl ctr lxc lxd buildah runc docker-compose", judgeContainer),
};

function judgeTransfer(call: CommandCall): Judgement {
  const sent = call.args.flatMap((arg, at): Arg[] => {
    const text = SENDS.test(call.args[at - 1]?.text ?? "")
      ? arg.text
      : (/^-(?:-data(?:-\w+)?|-form|-upload-file|-post-file|d|F|T)=?(.*)$/s.exec(arg.text)?.[1] ?? "");
    const path =
      /@(.+)$/s.exec(text)?.[1]?.replace(/;.*/s, "") ??
      (/^(?:-T|--upload-file|--post-file)/.test(call.args[at - 1]?.text ?? arg.text) ? text : "");
    return path === "" || path === "-" ? [] : [{ ...arg, text: path }];
  });
  const leaks = sent.some(({ text }) => isSecret(text) || text.startsWith("/etc/"));
  return merge([
    judged(ask("it reaches the network", "R4"), ...(leaks ? [deny("it would send secrets to another machine")] : [])),
    usePaths(call, sent, "read"),
    usePaths(call, writtenFiles(call), "write"),
    touchLoosely(call),
  ]);
}

const SENDS = /^(?:-d|-F|-T|--data(?:-\w+)?|--form|--upload-file|--post-file|--body-file)$/;

/** Files that the call leaves behind, so that a later command that runs them is seen. */
export function writtenFiles({ name, args }: Pick<CommandCall, "args" | "name">): Arg[] {
  return args.flatMap((arg, at): Arg[] => {
    const next = args[at + 1];
    if (
      /^(?:-[a-zA-Z]*[oO]|--output|--output-document)$/.test(arg.text) &&
      next !== undefined &&
      !/^(?:-|https?:)/.test(next.text)
    )
      return [next];
    const glued = /^(?:-o|-O|--output=|--output-document=)(.+)$/s.exec(arg.text)?.[1];
    if (glued !== undefined) return [{ ...arg, text: glued }];
    const leaf = /^[a-z]+:\/\/[^?#]*\/([^/?#]+)/.exec(arg.text)?.[1];
    const keepsName =
      name === "wget" || name === "aria2c" || args.some(({ text }) => /^-[a-zA-Z]*O$|^--remote-name$/.test(text));
    return leaf !== undefined && keepsName ? [{ ...arg, text: leaf }] : [];
  });
}

const EXECUTES = /^(?:-[a-z]*[ec]|--exec|--sh-exec|--lua-exec)$/;

function judgeConnection(call: CommandCall): Judgement {
  const words = call.args.map(({ text }) => text);
  const joined = words.join(" ");
  const handsShell =
    call.name === "socat"
      ? /\b(?:exec|system):/i.test(joined) && /\b(?:tcp|udp|openssl|ssl|vsock|sctp)/i.test(joined)
      : call.name !== "openssl" &&
        call.name !== "telnet" &&
        words.some((text, at) => EXECUTES.test(text) && at < words.length - 1);
  return merge([
    judged(
      ask("it opens a connection", "R4"),
      ...(handsShell ? [deny("it would connect a shell to another machine")] : []),
    ),
    touchLoosely(call),
  ]);
}

function judgeContainer(call: CommandCall): Judgement {
  const surface = call.context.surfaces[0];
  const words = call.args.map(({ text }) => text);
  const mounts = words.flatMap((text, at) => {
    const value = /^(?:-v|--volume|--mount|--device)$/.test(words[at - 1] ?? "")
      ? text
      : /^(?:-v|--volume=|--mount=|--device=)(.+)$/s.exec(text)?.[1];
    return value === undefined ? [] : [/(?:source|src)=([^,]+)/.exec(value)?.[1] ?? value.replace(/:.*$/s, "")];
  });
  const handsHost =
    words.some((text) =>
      /^--(?:privileged|cap-add(?:=.*)?|pid=host|userns=host|ipc=host|uts=host|security-opt=.*(?:unconfined|disable).*)$/.test(
        text,
      ),
    ) ||
    /--(?:pid|userns|ipc|network|net|uts) host\b/.test(words.join(" ").replace(/--net(?:work)? host/, "")) ||
    mounts.some(
      (path) =>
        /docker\.sock|containerd\.sock|podman\.sock/.test(path) ||
        (surface !== undefined && !["other", "harmless-device"].includes(placeOf(path, false, surface))),
    );
  return judged(
    ask("it starts a container", "R4"),
    ...(handsHost ? [deny("it would hand this machine to a container")] : []),
  );
}
