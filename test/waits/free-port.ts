/**
 * A port of this machine that nobody has, for a program that must be told its port. Somebody else may take it meanwhile.
 */
export function freePort(): number {
  using listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  return listener.port;
}
