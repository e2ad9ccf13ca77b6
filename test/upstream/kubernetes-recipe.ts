/**
 * The blocks of `docs/recipes/kubernetes.md` as they have to be on this machine: with other paths, and the address of a cluster of
 * the tests.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mcpServer, type McpServer } from "../components/mcp-server.ts";

const PAGE = join(import.meta.dir, "..", "..", "docs", "recipes", "kubernetes.md");

export const KUBERNETES_SERVER: McpServer = mcpServer("kubernetes-mcp-server");

export interface RecipePlace {
  readonly kubeconfig: string;
  /** The API of the cluster. */
  readonly url: string;
}

/** @param index of the block in JSON */
export function recipeBlock(index: number, { kubeconfig, url }: RecipePlace): unknown {
  const blocks = [...readFileSync(PAGE, "utf8").matchAll(/^```json\n([^]*?)^```$/gm)].map(([, text = ""]) => text);
  const said = (blocks[index] ?? "")
    .replaceAll(/\/opt\/[^"]+\/node_modules/g, KUBERNETES_SERVER.modules)
    .replaceAll("/etc/ringfence/k8s.kubeconfig", kubeconfig)
    .replaceAll("api.stage.corp.example:6443", new URL(url).host);
  return JSON.parse(said) as unknown;
}
