/** `_delta_log` on disk: commits made by put-if-absent, the head with the newest version, and checkpoints. Each file ends with the SHA-256 of everything before it: damage to any byte is detected. */

import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sha256 } from "#domain/chain/entry.ts";
import { makeFolder, namesIn, numbersIn, replaceText, syncPath } from "#store/disk/durable.ts";
import { LakeDamaged, readFault, sha256Of } from "./damage.ts";
import type { Action, Commit, MetaData } from "./snapshot.ts";
import type { TableStorage } from "./storage.ts";

const END = '"}}\n';
const DIGEST_LENGTH = 64;

/** Completes a text that ends with `"sha256":"`: appends the digest of all of it, and closes two objects and the line. */
export function seal(text: string): string {
  return `${text}${sha256(text)}${END}`;
}

function isSealed(text: string): boolean {
  const digestStart = text.length - END.length - DIGEST_LENGTH;
  if (digestStart < 0 || !text.endsWith(END)) return false;
  return text.slice(digestStart, -END.length) === sha256(text.slice(0, digestStart));
}

/** Reads a commit or checkpoint; a null `table` accepts any. Throws LakeDamaged for a missing or damaged one, or another version or table. */
function readSealed(
  path: string,
  lastName: "commitInfo" | "checkpoint",
  version: number,
  table: string | null,
): Commit {
  const text = textAt(path);
  if (text === null) throw new LakeDamaged(path, "is missing");
  return parseSealed(text, path, lastName, version, table);
}

/** Reads a commit or checkpoint from its text; `path` names it in errors. */
export function parseSealed(
  text: string,
  path: string,
  lastName: "commitInfo" | "checkpoint",
  version: number,
  table: string | null,
): Commit {
  if (!isSealed(text)) throw new LakeDamaged(path, "is damaged, or was not written by Crossrate");
  const lines = text.slice(0, -1).split("\n");
  // This program's own facts.
  const last = (
    JSON.parse(lines.pop() as string) as Record<string, Omit<Commit, "actions"> & { table: string }>
  )[lastName];
  if (last === undefined || last.version !== version || (table !== null && last.table !== table))
    throw new LakeDamaged(path, "is of another version or another table");
  return {
    version,
    timestamp: last.timestamp,
    actions: lines.map((line) => JSON.parse(line) as Action),
  };
}

/** Returns null without a file. Throws LakeDamaged when the disk cannot read it. */
export function textAt(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw readFault(path, fault);
  }
}

const LOG_FOLDER = "_delta_log";
const HEAD_FILE = ".head.json";

export class CommitConflict extends Error {
  constructor(path: string) {
    super(`${path} was committed by another process`);
    this.name = "CommitConflict";
  }
}

/** The newest durable commit. After a crash the log may be one commit ahead of the head, never behind. */
interface Head {
  readonly table: string;
  readonly version: number;
}

/** With storage, a commit is durable there before the copy in the folder gets it. */
export function openLog(tableDirectory: string, storage: TableStorage | null = null) {
  const folder = join(tableDirectory, LOG_FOLDER);
  const commitPath = (version: number) => join(folder, `${digitsOf(version)}.json`);
  const sidecarPath = (version: number) => join(folder, `.${digitsOf(version)}.checkpoint.json`);
  const checkpointFile = (version: number) => join(folder, `${digitsOf(version)}.checkpoint.parquet`);
  /** Returns the versions with a commit, and those with a complete checkpoint, both ascending. */
  const list = () => {
    const names = namesIn(folder);
    return {
      commits: numbersIn(names, /^(\d{20})\.json$/),
      checkpoints: numbersIn(names, /^\.(\d{20})\.checkpoint\.json$/),
    };
  };
  const writeHead = async ({ table, version }: Head): Promise<void> => {
    makeFolder(folder);
    await replaceText(
      join(folder, HEAD_FILE),
      seal(`{"head":{"table":${JSON.stringify(table)},"version":${version},"sha256":"`),
    );
  };
  return {
    folder,
    /** Returns null when missing. Throws LakeDamaged when it is not what was written. */
    readHead: (): Head | null => {
      const path = join(folder, HEAD_FILE);
      const text = textAt(path);
      if (text === null) return null;
      // A commit copied over it is sealed, too.
      if (!isSealed(text) || !text.startsWith('{"head":')) throw new LakeDamaged(path, "is damaged");
      return (JSON.parse(text) as { head: Head }).head;
    },
    writeHead,
    hasCommit: (version: number) => existsSync(commitPath(version)),
    commitText: (version: number) => textAt(commitPath(version)),
    /** Throws LakeDamaged when it is missing, or not what was written under this version. */
    readCommit: (version: number, table: string | null) =>
      readSealed(commitPath(version), "commitInfo", version, table),
    /** Resolves when the commit is durable. Throws CommitConflict when the version exists. `operation` is one of the Delta protocol, such as WRITE. */
    writeCommit: async (
      { version, timestamp, actions }: Commit,
      { table, operation }: { readonly table: string; readonly operation: string },
    ): Promise<void> => {
      // Identifies this commit when the storage's answer was lost.
      const txnId = storage === null ? {} : { txnId: crypto.randomUUID() };
      const info = { timestamp, operation, operationParameters: {}, engineInfo: "Crossrate", ...txnId };
      const lines = actions.map((action) => `${JSON.stringify(action)}\n`).join("");
      const text = seal(
        `${lines}{"commitInfo":${JSON.stringify({ ...info, table, version }).slice(0, -1)},"sha256":"`,
      );
      if (storage !== null) {
        await storage.putCommit(version, text);
        // The head is not written earlier: another machine may have made the table under another id.
        if (version === 0) await writeHead({ table, version: -1 });
      }
      putIfAbsent(commitPath(version), text, storage !== null);
    },
    /** Copies a commit of the storage. Its data files may be missing. */
    takeCommit: (version: number, text: string): void => {
      makeFolder(folder);
      putIfAbsent(commitPath(version), text, true);
    },
    takeCheckpoint: (version: number, text: string): Promise<void> => replaceText(sidecarPath(version), text),
    list,
    checkpointFile,
    /** Rejects with LakeDamaged when the Parquet checkpoint is not what was written. */
    checkParquet: async (version: number): Promise<void> => {
      const text = textAt(sidecarPath(version)) ?? "";
      const expected = /"parquetSha256":"([0-9a-f]{64})"/.exec(text)?.[1];
      const path = checkpointFile(version);
      if (!existsSync(path)) throw new LakeDamaged(path, "is missing");
      const digest = await sha256Of(path).catch((fault: unknown) => {
        throw readFault(path, fault);
      });
      if (expected !== undefined && digest !== expected)
        throw new LakeDamaged(path, "does not have its content");
    },
    /** Reads the checkpoint as sealed JSON lines: a start must not pay for loading DuckDB. */
    readCheckpoint: (version: number, table: string | null) =>
      readSealed(sidecarPath(version), "checkpoint", version, table),
    /** Writes the sealed JSON lines; `copy` makes the Parquet file from them before anything points at it. */
    writeCheckpoint: async (
      { version, timestamp, actions }: Commit,
      table: string,
      copy: (json: string, target: string) => Promise<void>,
    ): Promise<void> => {
      const lines = actions.map((action) => `${JSON.stringify(action)}\n`).join("");
      const sealedWith = (facts: object) =>
        seal(`${lines}{"checkpoint":${JSON.stringify(facts).slice(0, -1)},"sha256":"`);
      const facts = { timestamp, table, version };
      const temporary = `${sidecarPath(version)}.tmp`;
      const parquet = `${checkpointFile(version)}.tmp`;
      try {
        writeFileSync(temporary, sealedWith(facts));
        await copy(temporary, parquet);
        syncPath(parquet);
        const parquetSha256 = await sha256Of(parquet);
        const pointer = `${JSON.stringify({ version, size: actions.length })}\n`;
        const sidecar = sealedWith({ ...facts, parquetSha256 });
        if ((await storage?.putCheckpoint(version, { parquet, pointer, sidecar })) === false) return;
        renameSync(parquet, checkpointFile(version));
        await replaceText(join(folder, "_last_checkpoint"), pointer);
        // The sidecar comes last: once this program reads it, older commits may be removed.
        await replaceText(sidecarPath(version), sidecar);
      } finally {
        for (const path of [temporary, parquet]) rmSync(path, { force: true });
      }
    },
    /** Removes commits and checkpoints before a version that has a checkpoint. */
    removeBefore: (version: number): void => {
      const { commits } = list();
      // Checkpoints first and then upwards: after an interruption every remaining checkpoint has all later commits.
      const isOld = (name: string) => /\.checkpoint\.(json|parquet)$/.test(name) && versionOf(name) < version;
      for (const name of namesIn(folder).filter(isOld)) rmSync(join(folder, name), { force: true });
      for (const old of commits.filter((at) => at < version)) rmSync(commitPath(old), { force: true });
      syncPath(folder);
    },
    /** Removes half-written files of writers that died. The caller is the one writer. */
    removeLeftovers: (): void => {
      for (const name of namesIn(folder).filter((file) => file.endsWith(".tmp")))
        rmSync(join(folder, name), { force: true });
    },
  };
}

export function tableIdOf(actions: readonly Action[]): string | null {
  for (const action of actions) if ("metaData" in action) return (action.metaData as MetaData).id;
  return null;
}

/** Writes the file whole or not at all. Throws CommitConflict when it exists; with `orSame`, only when its text differs. */
export function putIfAbsent(path: string, text: string, orSame = false, mode = 0o666): void {
  // Not the process id: the first process of every container has the same.
  const temporary = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}.tmp`);
  try {
    writeFileSync(temporary, text, { mode });
    syncPath(temporary);
    linkSync(temporary, path);
  } catch (fault) {
    const exists = (fault as NodeJS.ErrnoException).code === "EEXIST";
    if (exists && !(orSame && textAt(path) === text)) throw new CommitConflict(path);
    if (!exists) throw fault;
  } finally {
    rmSync(temporary, { force: true });
  }
  syncPath(dirname(path));
}

/** Makes a file that only its owner can read, unless it exists: the first of several processes makes it. */
export function makeOnce(path: string, text: string): void {
  makeFolder(dirname(path));
  try {
    putIfAbsent(path, text, false, 0o600);
  } catch (fault) {
    if (!(fault instanceof CommitConflict)) throw fault;
  }
}

export function digitsOf(version: number): string {
  return String(version).padStart(20, "0");
}

/** Returns NaN for a file that belongs to no version. */
export function versionOf(entry: string): number {
  return Number(/^\.?(\d{20})\./.exec(entry)?.[1] ?? Number.NaN);
}
