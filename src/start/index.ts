/**
 * What happens between knowing the configuration and opening anything: whether a host can work here, the kernel fence,
 * and this program as the helper of a power. Apart from the host, because a program that starts twice should load no more
 * than this in its first start. It may import `base`, `sys`, `reach`, `scope`, `fence`, `state`, `pool`, `proc`, `contract`,
 * `packs`, `jobs`, `upstream`, `page`, `config` and `spaces`.
 */
export { checkStart, listsHosts } from "./check-start.ts";
export { gitUse } from "./git-use.ts";
export { PAGE_MARK, runAsHelper, enterHostFence, searchProgram } from "./enter-host-fence.ts";
export { IS_COMPILED, launcherOf } from "./plan-launcher.ts";
export { sourceOf, startHost, type StartedHost } from "./start-host.ts";
