/** Recognizes a full disk in the errors of systems and databases, and makes the fault that names the path. */

/** There is no room on the disk of `path`. */
export class DiskFull extends Error {
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`no space left on the disk of ${path}: make room there and start again`, { cause });
    this.name = "DiskFull";
    this.path = path;
  }
}

/** SQLite's code for it, and for a file of shared memory that could not be made as large as it must be. */
const CODES: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"]);

interface Coded {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly path?: unknown;
  readonly cause?: unknown;
}

/** Whether a fault is, or comes from, a disk without room; `path` where the fault names one. Null where it is another. */
export function diskFullIn(fault: unknown): { readonly path: string | null } | null {
  for (let depth = 0, one = fault; one instanceof Error && depth < 8; depth++) {
    const { code, syscall, path, cause } = one as Coded;
    // A system that cannot watch more files reports ENOSPC, too.
    const isFull = one instanceof DiskFull || (CODES.has(code) && syscall !== "watch");
    if (isFull) return { path: typeof path === "string" ? path : null };
    one = cause;
  }
  return null;
}
