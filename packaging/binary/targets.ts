/** The platforms that single binaries are made for: a system and an architecture, as DuckDB and Bun name them. */

/** Name of DuckDB's shared library on each platform; beside it is `duckdb.node`. */
const LIBRARIES = {
  "linux-x64": "libduckdb.so",
  "linux-arm64": "libduckdb.so",
  "darwin-x64": "libduckdb.dylib",
  "darwin-arm64": "libduckdb.dylib",
} as const;

export type Target = keyof typeof LIBRARIES;

export const TARGETS = Object.keys(LIBRARIES) as Target[];

export function isTarget(name: string): name is Target {
  return Object.hasOwn(LIBRARIES, name);
}

/** Files of the native package that a process loads. */
export function nativeFiles(target: Target): readonly string[] {
  return ["duckdb.node", LIBRARIES[target]];
}

/** Platform of this machine, null where no binary is made for it. */
export function hostTarget(): Target | null {
  const name = `${process.platform}-${process.arch}`;
  return isTarget(name) ? name : null;
}
