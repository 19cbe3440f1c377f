/**
 * Preloaded into a process, it prints at the end which names and contents a power cut could still take back: what was made or
 * written, is there, and was not flushed. What DuckDB and SQLite do by themselves is not seen here.
 */

import { mock } from "bun:test";
import * as fs from "node:fs";
import * as promises from "node:fs/promises";
import { dirname, resolve } from "node:path";

// Copies: the imports themselves lead to what is put in their place.
const [real, realPromises] = [{ ...fs }, { ...promises }];
/** Names that are in no flushed folder, and files with content that is not flushed. */
const [names, contents] = [new Set<string>(), new Set<string>()];
const pathOf = new Map<number, string>();

/** The entries that a call makes: the path, and every folder above it that is not there yet. */
function missing(path: string): readonly string[] {
  return real.existsSync(path) ? [] : [...missing(dirname(path)), path];
}

function made(paths: readonly string[]): void {
  for (const path of paths) names.add(path);
}

function flushed(path: string): void {
  contents.delete(path);
  for (const name of names) if (dirname(name) === path) names.delete(name);
}

/** A second name, or another one, of a file: its content is as durable as before. */
function named(from: string, to: string): void {
  names.add(to);
  if (contents.has(from)) contents.add(to);
  else contents.delete(to);
}

const writes = (flags: unknown) => typeof flags === "string" && flags !== "r";
const changed: Record<string, unknown> = {
  ...real,
  mkdirSync: (path: string, options?: fs.MakeDirectoryOptions) => {
    made(missing(resolve(path)));
    return real.mkdirSync(path, options);
  },
  renameSync: (from: string, to: string) => {
    real.renameSync(from, to);
    named(resolve(from), resolve(to));
  },
  linkSync: (from: string, to: string) => {
    real.linkSync(from, to);
    named(resolve(from), resolve(to));
  },
  writeFileSync: (to: string | number, content: string, options?: fs.WriteFileOptions) => {
    const path = typeof to === "number" ? pathOf.get(to) : resolve(to);
    if (path !== undefined) {
      made(missing(path));
      contents.add(path);
    }
    real.writeFileSync(to, content, options);
  },
  openSync: (path: string, flags: fs.OpenMode, mode?: fs.Mode) => {
    if (writes(flags)) made(missing(resolve(path)));
    const file = real.openSync(path, flags, mode);
    pathOf.set(file, resolve(path));
    return file;
  },
  fsyncSync: (file: number) => {
    real.fsyncSync(file);
    flushed(pathOf.get(file) ?? "");
  },
};
mock.module("node:fs", () => ({ ...changed, default: changed }));

const changedPromises: Record<string, unknown> = {
  ...realPromises,
  mkdir: async (path: string, options?: fs.MakeDirectoryOptions) => {
    made(missing(resolve(path)));
    return await realPromises.mkdir(path, options);
  },
  rename: async (from: string, to: string) => {
    await realPromises.rename(from, to);
    named(resolve(from), resolve(to));
  },
  link: async (from: string, to: string) => {
    await realPromises.link(from, to);
    named(resolve(from), resolve(to));
  },
  writeFile: async (
    to: string,
    content: string,
    options?: fs.ObjectEncodingOptions & { flush?: boolean },
  ) => {
    made(missing(resolve(to)));
    await realPromises.writeFile(to, content, options);
    if (options?.flush !== true) contents.add(resolve(to));
  },
  open: async (path: string, flags?: string | number, mode?: number) => {
    if (writes(flags)) made(missing(resolve(path)));
    const handle = await realPromises.open(path, flags, mode);
    for (const name of ["sync", "datasync"] as const) {
      const done = handle[name].bind(handle);
      handle[name] = async () => {
        await done();
        flushed(resolve(path));
      };
    }
    const write = handle.write.bind(handle) as (...rest: unknown[]) => Promise<unknown>;
    handle.write = (async (...rest: unknown[]) => {
      contents.add(resolve(path));
      return await write(...rest);
    }) as never;
    return handle;
  },
};
mock.module("node:fs/promises", () => ({ ...changedPromises, default: changedPromises }));

process.on("exit", () => {
  const lost = [...names, ...contents].filter((path) => real.existsSync(path));
  real.writeSync(1, `\nunflushed ${JSON.stringify([...new Set(lost)].sort())}\n`);
});
