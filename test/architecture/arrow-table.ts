/** The arrow table as biome.json holds it, its only source: read here by the tests of the arrows and of their documentation. */

import { resolve } from "node:path";

export const ROOT = resolve(import.meta.dir, "..", "..");

export interface ArrowRow {
  /** A folder or a file of src, as docs/architecture.md names it: "store", "ports", "main". */
  readonly from: string;
  /** Glob of the files it rules; the first of them. */
  readonly includes: string;
  /** All of them: a page of ports and the folder of its other pages are one row. */
  readonly ruled: readonly string[];
  /** Folders and files of src that may be imported; "self" is the row's own folder, "anything" all of src. */
  readonly may: readonly string[];
  /** Packages and runtime modules that may be imported. */
  readonly packages: readonly string[];
}

interface Override {
  readonly includes: readonly string[];
  readonly linter?: {
    readonly rules: {
      readonly style?: {
        readonly noRestrictedImports?: {
          readonly options: { readonly patterns: readonly { readonly group: readonly string[] }[] };
        };
      };
    };
  };
}

/** Every row below the default-deny one, in the order of biome.json. Throws when a row does not start from "deny all". */
export async function arrowTable(): Promise<readonly ArrowRow[]> {
  const { overrides } = (await Bun.file(`${ROOT}/biome.json`).json()) as { overrides: readonly Override[] };
  const rows: ArrowRow[] = [];
  for (const { includes, linter } of overrides) {
    const [first = ""] = includes;
    const group = linter?.rules.style?.noRestrictedImports?.options.patterns[0]?.group;
    if (group === undefined || first === "src/**" || !first.startsWith("src/")) continue;
    if (group[0] !== "**") throw new Error(`biome.json: the row of ${first} does not deny everything first`);
    rows.push({ ...readRow(first, group.slice(1)), ruled: includes });
  }
  return rows;
}

function readRow(includes: string, allowed: readonly string[]): Omit<ArrowRow, "ruled"> {
  const from = includes.replace(/^src\//, "").replace(/(\/\*\*|\.ts)$/, "");
  const may = new Set<string>();
  const packages = new Set<string>();
  for (const pattern of allowed) {
    const name = pattern.replace(/^!/, "");
    if (name === "./**") may.add("self");
    else if (name === "#*" || name === "#*/**" || name === "./*") may.add("anything");
    else if (name.startsWith("#") || name.startsWith("./")) {
      const target = name.replace(/^(#|\.\/)/, "").replace(/(\/\*\*|\.ts)$/, "");
      may.add(target === from ? "self" : target);
    } else if (!name.startsWith("../"))
      packages.add(name.replace(/\/\*\*$/, "").replace(/^node:\*$/, "node"));
  }
  return { from, includes, may: [...may], packages: [...packages] };
}

/** The table as docs/architecture.md shows it, one line a row. */
export function printedTable(rows: readonly ArrowRow[]): readonly string[] {
  return rows.map(
    ({ from, may, packages }) => `| ${from} | ${may.join(", ")} | ${packages.join(", ") || "–"} |`,
  );
}
