/**
 * Stands in the place of `react-devtools-core` (tsconfig.json, `paths`), which Ink imports when the environment says `DEV=true`:
 * the binary holds no way to a debugger, and nothing is looked for on the disk.
 */
// Ink imports a default.
// oxlint-disable-next-line import/no-default-export
export default { initialize: (): void => undefined, connectToDevTools: (): void => undefined };
