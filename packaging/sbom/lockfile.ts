/** What the program brings along: the packages of `bun.lock` that its runtime dependencies lead to. */

import { join } from "node:path";

/** A package at one place of the tree of dependencies. */
export interface Installed {
  readonly name: string;
  readonly version: string;
  /** Place in the tree: `a`, or `a/b` where `a` has a `b` of its own. */
  readonly place: string;
  /** Where it is installed: `node_modules/a`, or `node_modules/a/node_modules/b`. */
  readonly folder: string;
  /** Subresource integrity, such as `sha512-…`. */
  readonly integrity: string;
  /** True when only some platforms install it. */
  readonly optional: boolean;
  /** Places of the packages that it uses. */
  readonly uses: readonly string[];
}

export interface Tree {
  /** Places of the product's own dependencies. */
  readonly uses: readonly string[];
  /** By place, in ascending order. */
  readonly packages: readonly Installed[];
}

interface Needs {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Lockfile {
  readonly workspaces: Readonly<Record<"", Needs>>;
  readonly packages: Readonly<
    Record<string, readonly [id: string, registry: string, needs: Needs, integrity: string]>
  >;
}

/** Throws when the lock file names a package that it does not have. */
export async function runtimeTree(root: string): Promise<Tree> {
  const lock: { readonly default: Lockfile } = await import(join(root, "bun.lock"));
  const { workspaces, packages } = lock.default;
  const found = new Map<string, Installed>();
  const visit = (name: string, from: string, optional: boolean): readonly string[] => {
    const place = placeOf(name, from, packages);
    // Of a platform for which the version in use was not published.
    if (place === null && optional) return [];
    if (place === null) throw new Error(`bun.lock has no ${name}, which ${from || "the product"} uses`);
    const known = found.get(place);
    if (known !== undefined && (optional || !known.optional)) return [place];
    const [id = "", , needs = {}, integrity = ""] = packages[place] ?? [];
    const at = id.lastIndexOf("@");
    const folder = folderOf(place, packages);
    const entry = { name: id.slice(0, at), version: id.slice(at + 1), place, folder, integrity, optional };
    // Before its own needs are followed: packages may use each other.
    found.set(place, { ...entry, uses: [] });
    const uses = [
      ...Object.keys(needs.dependencies ?? {}).flatMap((next) => visit(next, place, optional)),
      ...Object.keys(needs.optionalDependencies ?? {}).flatMap((next) => visit(next, place, true)),
    ];
    found.set(place, { ...entry, uses: [...new Set(uses)].sort() });
    return [place];
  };
  const uses = Object.keys(workspaces[""].dependencies ?? {}).flatMap((name) => visit(name, "", false));
  const ordered = [...found.values()].sort((a, b) => (a.place < b.place ? -1 : 1));
  return { uses: uses.sort(), packages: ordered };
}

/** As modules are looked for: in the package's own folder, then in those around it; null when it is nowhere. */
function placeOf(name: string, from: string, packages: Lockfile["packages"]): string | null {
  for (let around = from; around !== ""; around = outerOf(around, packages)) {
    const own = `${around}/${name}`;
    if (packages[own] !== undefined) return own;
  }
  return packages[name] === undefined ? null : name;
}

/** The place around a place: `a` of `a/b`, "" of `a`. Names with a scope have a slash of their own. */
function outerOf(place: string, packages: Lockfile["packages"]): string {
  for (let cut = place.lastIndexOf("/"); cut > 0; cut = place.lastIndexOf("/", cut - 1)) {
    const outer = place.slice(0, cut);
    if (packages[outer] !== undefined) return outer;
  }
  return "";
}

function folderOf(place: string, packages: Lockfile["packages"]): string {
  const outer = outerOf(place, packages);
  if (outer === "") return `node_modules/${place}`;
  return `${folderOf(outer, packages)}/node_modules/${place.slice(outer.length + 1)}`;
}
