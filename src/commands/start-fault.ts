/** Messages for faults that prevent a start; they name the setting to change. */

import { resolve } from "node:path";
import type { Config } from "#config.ts";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import { DiskFull, diskFullIn } from "#domain/faults/errors.ts";
import { parseAddress } from "#domain/net/address.ts";

interface SystemFault {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly path?: unknown;
}

/** A setting's name and value. */
interface Setting {
  readonly name: string;
  readonly value: string | number;
}

/** Names the setting behind a fault, if any: a folder, a file, or a listener. */
export function inSettings(fault: unknown, config: Config): unknown {
  if (!(fault instanceof Error)) return fault;
  const full = diskFullIn(fault);
  if (full !== null) return noRoom(full.path ?? config.dataDir, config, fault);
  const { path, syscall, code } = fault as SystemFault;
  if (syscall === "listen" || syscall === "getaddrinfo") {
    const { metrics, accounts } = config;
    const asked = Number(/\bport (\d+)/.exec(fault.message)?.[1] ?? Number.NaN);
    const isAdmin = accounts.admin !== null && accounts.admin.port === asked && metrics?.port !== asked;
    if (isAdmin || metrics === null)
      return listenFault(fault, "ADMIN", accounts.admin ?? { port: asked, host: "" });
    return listenFault(fault, "METRICS", metrics);
  }
  const { plansFile, databaseUrl } = config.accounts;
  // The address may contain a password.
  if (databaseUrl !== null && fault instanceof LedgerUnavailable)
    return new Error(
      `DATABASE_URL=…: ${fault.message}; see whether it names the database, and whether that runs`,
      { cause: fault },
    );
  if (plansFile !== null && (path === plansFile || code === "EISDIR"))
    return naming({ name: "PLANS_FILE", value: plansFile }, "cannot be read", fault);
  if (typeof path === "string" && isOnTheWay(resolve(path), resolve(config.dataDir)))
    return naming({ name: "DATA_DIR", value: config.dataDir }, "cannot be used", fault);
  return fault;
}

function noRoom(path: string, { dataDir }: Config, cause: Error): Error {
  const full = new DiskFull(path, cause);
  if (!isOnTheWay(resolve(path), resolve(dataDir))) return full;
  return naming({ name: "DATA_DIR", value: dataDir }, full.message, cause, { isWhole: true });
}

/** Explains a fault of listening: `prefix` is "" for PORT and HOST, else METRICS or ADMIN. */
export function listenFault(
  fault: unknown,
  prefix: "" | "METRICS" | "ADMIN",
  { port, host }: { readonly port: number; readonly host: string },
): unknown {
  if (!(fault instanceof Error)) return fault;
  const named = (what: string) => (prefix === "" ? what : `${prefix}_${what}`);
  const { code } = fault as SystemFault;
  const hostSetting = { name: named("HOST"), value: host };
  // For an invalid host name the runtime reports different faults.
  if (parseAddress(host) === null && host !== "localhost") return naming(hostSetting, NO_ADDRESS, fault);
  const portSetting = { name: named("PORT"), value: port };
  if (code === "EADDRINUSE")
    return naming(
      portSetting,
      `something listens there already; set ${portSetting.name} to a free one`,
      fault,
      {
        isWhole: true,
      },
    );
  if (code === "EACCES")
    return naming(portSetting, "this user may not listen there; take one above 1023", fault, {
      isWhole: true,
    });
  return naming(hostSetting, NO_ADDRESS, fault);
}

const NO_ADDRESS =
  "cannot be listened on; write an address of this machine, such as 127.0.0.1 or ::1, or 0.0.0.0 for every interface";

/** Returns whether the path is inside the folder, or above it. */
function isOnTheWay(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`) || folder.startsWith(`${path}/`);
}

function naming({ name, value }: Setting, what: string, cause: Error, { isWhole = false } = {}): Error {
  return new Error(`${name}=${value}: ${what}${isWhole ? "" : ` (${cause.message})`}`, { cause });
}
