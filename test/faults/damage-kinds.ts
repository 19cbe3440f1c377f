/** One random damage to a data directory, of the kinds that disks, people and other programs do. */

import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

const KINDS = ["cut", "emptied", "swapped", "removed", "doubled", "flipped"] as const;
type Kind = (typeof KINDS)[number];

export interface Damage {
  readonly kind: Kind;
  readonly path: string;
  /** The one it was swapped with, or its second name. */
  readonly other: string | null;
  readonly text: string;
}

export function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort();
}

/** Files of one kind may replace each other: `lake/daily/source=*\/year=#/part-*.parquet`. */
function kindOf(path: string): string {
  return path
    .replace(/part-[0-9a-f-]{36}/, "part")
    .replace(/exports\/.*/, "exports/*")
    .replaceAll(/(ecb|fred)_daily|mex_dof|pol_a/g, "*")
    .replaceAll(/\d+/g, "#");
}

const DATA_FILE = /^lake\/(?!current\/).*\/part-[^/]*\.parquet$/;

/** Applies one: half of them to data files; of all files each kind is equally likely, however many there are of it. */
export function damageSomething(directory: string, random: () => number, only: RegExp): Damage {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const files = filesBelow(directory).filter((path) => only.test(path));
  const kinds = [...Map.groupBy(files, kindOf).values()];
  const dataKinds = [
    ...Map.groupBy(
      files.filter((path) => DATA_FILE.test(path)),
      kindOf,
    ).values(),
  ];
  for (;;) {
    const alike = pick(random() < 0.5 ? kinds : dataKinds);
    const path = pick(alike);
    const kind = pick(KINDS);
    const { size } = statSync(join(directory, path));
    if ((kind === "cut" || kind === "flipped" || kind === "emptied") && size === 0) continue;
    if (kind === "flipped" && path.includes(".sqlite")) continue;
    const file = join(directory, path);
    const inPlace = random() < 0.5;
    const change = (content: Uint8Array) => {
      if (!inPlace) {
        writeFileSync(`${file}.changed`, content, { mode: statSync(file).mode });
        renameSync(`${file}.changed`, file);
      } else writeFileSync(file, content);
    };
    const made = (text: string, other: string | null = null): Damage => ({
      kind,
      path,
      other,
      text: `${path} ${text}`,
    });
    if (kind === "removed") {
      rmSync(file);
      return made("removed");
    }
    if (kind === "emptied") {
      if (inPlace) truncateSync(file);
      else change(new Uint8Array());
      return made(`emptied${inPlace ? "" : " by replacing it"}`);
    }
    if (kind === "cut") {
      const left = Math.floor(random() * size);
      change(readFileSync(file).subarray(0, left));
      return made(`cut from ${size} to ${left} bytes`);
    }
    if (kind === "flipped") {
      const content = new Uint8Array(readFileSync(file));
      const places = Array.from({ length: 1 + Math.floor(random() * 8) }, () => Math.floor(random() * size));
      for (const place of places) (content[place] as number) ^= 1 + Math.floor(random() * 255);
      change(content);
      return made(`flipped at ${places.join(", ")} of ${size}${inPlace ? "" : ", replaced"}`);
    }
    if (kind === "doubled") {
      const other = join(dirname(path), secondName(basename(path), alike, random));
      copyFileSync(file, join(directory, other));
      return made(`doubled as ${other}`, other);
    }
    const others = alike.filter((one) => one !== path && !isSame(directory, one, path));
    if (others.length === 0) continue;
    const other = pick(others);
    const [mine, its] = [readFileSync(file), readFileSync(join(directory, other))];
    writeFileSync(file, its);
    writeFileSync(join(directory, other), mine);
    return made(`swapped with ${other}`, other);
  }
}

function isSame(directory: string, one: string, other: string): boolean {
  return readFileSync(join(directory, one)).equals(readFileSync(join(directory, other)));
}

/** A name that programs may take for one of theirs, or a copy as people make them. */
function secondName(name: string, alike: readonly string[], random: () => number): string {
  if (random() < 0.3) return `${name}.bak`;
  if (name.startsWith("part-")) return `part-${crypto.randomUUID()}.parquet`;
  const [, before = "", digits, after = ""] = /^(\.?)(\d+)(\..*)$/.exec(name) ?? [];
  if (digits !== undefined) {
    const numbers = alike.map((path) => Number(/(\d+)\.[^/]*$/.exec(path)?.[1]));
    return `${before}${String(Math.max(...numbers) + 1).padStart(digits.length, "0")}${after}`;
  }
  return name.includes(".", 1) ? name.replace(/(\.[^.]*)$/, " (1)$1") : `${name} (1)`;
}
