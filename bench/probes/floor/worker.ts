/** The reading side of `main.ts`: open, look, read, close, hash, write as JSON. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

declare const self: {
  onmessage: ((event: MessageEvent<string>) => void) | null;
  postMessage(line: string): void;
};

self.onmessage = ({ data }) => {
  const [id = "", path = ""] = data.split("\t");
  const fd = openSync(path, "r");
  const bytes = Buffer.allocUnsafe(fstatSync(fd).size);
  readSync(fd, bytes, 0, bytes.length, 0);
  closeSync(fd);
  const note = Bun.CryptoHasher.hash("sha256", bytes, "hex");
  const content = [
    { type: "text", text: note },
    { type: "text", text: bytes.toString() },
  ];
  self.postMessage(`{"jsonrpc":"2.0","id":${id},"result":{"content":${JSON.stringify(content)}}}`);
};
