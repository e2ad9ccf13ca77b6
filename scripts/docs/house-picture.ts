/**
 * The picture of the house, drawn from the imports of `src`: a box a folder, the folders that it needs below it. An arrow that
 * others imply is left out, or nothing could be seen.
 */
import { resolvePath } from "../checks/layers.ts";
import { readSources } from "../checks/read-sources.ts";
import { readImports } from "../checks/source-code.ts";

const BOX = { width: 104, height: 32, gapX: 18, gapY: 46, margin: 20 };

interface Folder {
  readonly name: string;
  readonly needs: ReadonlySet<string>;
}

/** An SVG image, the same for the same sources. */
export function housePicture(): string {
  const folders = readFolders();
  const floors = floorsOf(folders);
  const places = placesOf(floors);
  const widest = Math.max(...floors.map((floor) => floor.length));
  const width = 2 * BOX.margin + widest * (BOX.width + BOX.gapX) - BOX.gapX;
  const height = 2 * BOX.margin + floors.length * (BOX.height + BOX.gapY) - BOX.gapY;
  const arrows = [...folders.values()].flatMap(({ name, needs }) =>
    [...needs].filter((to) => !isImplied(folders, name, to)).map((to) => arrow(places, name, to)),
  );
  const boxes = [...folders.values()].map((folder) => box(places, folder));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" text-anchor="middle">
<title>The folders of src and what they import</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
<g stroke="#9aa5b1" stroke-width="1.2" fill="none">
${arrows.sort().join("\n")}
</g>
${boxes.sort().join("\n")}
</svg>
`;
}

function readFolders(): Map<string, Folder> {
  const sources = readSources(["src"]).filter(({ path }) => path.split("/").length > 2);
  const names = new Set(sources.map(({ path }) => folderOf(path)));
  return new Map(
    [...names].sort().map((name) => {
      const own = sources.filter(({ path }) => folderOf(path) === name);
      const targets = own.flatMap(({ path, text }) =>
        readImports(text).map(({ specifier }) => folderOf(resolvePath(path, specifier))),
      );
      const needs = new Set(targets.filter((target) => target !== name && names.has(target)));
      return [name, { name, needs }];
    }),
  );
}

function folderOf(path: string): string {
  const [top, folder = ""] = path.split("/");
  return top === "src" ? folder : "";
}

/** From the top: a folder stands above all that it needs, and as low as it can. */
function floorsOf(folders: ReadonlyMap<string, Folder>): string[][] {
  const floor = new Map<string, number>();
  const floorOf = (name: string): number => {
    const known = floor.get(name);
    if (known !== undefined) return known;
    const below = [...(folders.get(name)?.needs ?? [])].map(floorOf);
    floor.set(name, Math.max(-1, ...below) + 1);
    return floor.get(name) ?? 0;
  };
  const floors: string[][] = [];
  for (const name of folders.keys()) (floors[floorOf(name)] ??= []).push(name);
  return floors.reverse();
}

type Places = ReadonlyMap<string, { readonly x: number; readonly y: number }>;

function placesOf(floors: readonly (readonly string[])[]): Places {
  const widest = Math.max(...floors.map((floor) => floor.length));
  const step = BOX.width + BOX.gapX;
  return new Map(
    floors.flatMap((floor, row) =>
      floor.map((name, column) => {
        const x = BOX.margin + BOX.width / 2 + (column + (widest - floor.length) / 2) * step;
        return [name, { x, y: BOX.margin + row * (BOX.height + BOX.gapY) }] as const;
      }),
    ),
  );
}

/** Some other folder that `from` needs needs `to` as well, itself or through others. */
function isImplied(folders: ReadonlyMap<string, Folder>, from: string, to: string): boolean {
  const reaches = (name: string, seen = new Set<string>()): boolean => {
    if (seen.has(name)) return false;
    seen.add(name);
    const needs = folders.get(name)?.needs ?? new Set<string>();
    return needs.has(to) || [...needs].some((next) => reaches(next, seen));
  };
  return [...(folders.get(from)?.needs ?? [])].some((name) => name !== to && reaches(name));
}

function arrow(places: Places, from: string, to: string): string {
  const a = places.get(from);
  const b = places.get(to);
  if (!a || !b) return "";
  const start = a.y + BOX.height;
  const middle = (start + b.y) / 2;
  return `<path d="M${a.x} ${start} C${a.x} ${middle} ${b.x} ${middle} ${b.x} ${b.y}"/>`;
}

function box(places: Places, { name }: Folder): string {
  const { x, y } = places.get(name) ?? { x: 0, y: 0 };
  const left = x - BOX.width / 2;
  return [
    `<rect x="${left}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="6" fill="#eef2f7" stroke="#52606d"/>`,
    `<text x="${x}" y="${y + 20}" font-size="13" font-weight="600" fill="#1f2933">${name}</text>`,
  ].join("");
}
