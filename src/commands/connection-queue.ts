/**
 * Makes room for connections that arrive at once. The runtime listens with a queue of 512 and has no setting for it: of more,
 * the system of some clients tries again only after a second. Linux lets a process call `listen` on its listening socket again,
 * with a longer queue (man 2 listen).
 */

import { dlopen } from "bun:ffi";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Linux takes the lesser of this and net.core.somaxconn, whose default it is. */
const QUEUE = 4096;
/** State of a listening socket in /proc/net/tcp. */
const LISTENING = "0A";
/** Of glibc, and of musl. */
const C_LIBRARIES = ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`];

/** For the socket of this process that listens on the port. Throws where that is not possible, as on other systems. */
export function lengthenQueue(port: number): void {
  const inodes = ["/proc/self/net/tcp", "/proc/self/net/tcp6"].flatMap((table) => listeningOn(table, port));
  const sockets = readdirSync("/proc/self/fd").filter((descriptor) => {
    const inode = /^socket:\[(\d+)\]$/.exec(linkOf(descriptor))?.[1];
    return inode !== undefined && inodes.includes(inode);
  });
  if (sockets.length === 0) throw new Error(`no socket of this process listens on port ${port}`);
  const { symbols, close } = openC();
  try {
    for (const descriptor of sockets)
      if (symbols.listen(Number(descriptor), QUEUE) !== 0) throw new Error("listen failed");
  } finally {
    close();
  }
}

/** Inodes of the sockets that listen on the port: columns local_address, st and inode of proc_net_tcp(5). */
function listeningOn(table: string, port: number): readonly string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const rows = readTable(table).map((line) => line.trim().split(/\s+/));
  return rows.flatMap(([, local, , state, , , , , , inode]) =>
    local?.endsWith(suffix) === true && state === LISTENING && inode !== undefined ? [inode] : [],
  );
}

/** A system without IPv6 has no table of it. */
function readTable(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw fault;
  }
}

/** "" for a descriptor that was closed since the folder was read. */
function linkOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw fault;
  }
}

function openC() {
  const faults: string[] = [];
  for (const name of C_LIBRARIES) {
    try {
      return dlopen(name, { listen: { args: ["int", "int"], returns: "int" } });
    } catch (fault) {
      faults.push(String(fault));
    }
  }
  throw new Error(faults.join("; "));
}
