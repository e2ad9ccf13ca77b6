/**
 * Stands in the place of `react-devtools-core` (tsconfig.json, `paths`), which Ink imports when the environment says `DEV=true`:
 * the binary holds no way to a debugger, and nothing is looked for on the disk.
 */
const noDevtools = { initialize: (): void => undefined, connectToDevTools: (): void => undefined };

// oxlint-disable-next-line import/no-default-export -- Ink imports a default.
export { noDevtools as default };
