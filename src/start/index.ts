/**
 * What happens between knowing the configuration and opening anything: whether a host can work here, the kernel fence,
 * and this program as the helper of a power. Apart from the host, because the program starts twice and the first start
 * should load no more than this. It may import `base`, `reach`, `fence`, `state`, `proc`, `contract`, `packs`, `jobs`,
 * `upstream`, `config` and `spaces`.
 */
export { gitUse } from "./git-use.ts";
export { runAsHelper, enterHostFence, launcherOf, searchProgram } from "./enter-host-fence.ts";
