/**
 * Settings of the listening socket for which the runtime has none. Linux lets a process set them on the socket that it listens on, and
 * accepted connections inherit them.
 */

import { dlopen, ptr } from "bun:ffi";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/**
 * Connections that may wait to be accepted: the runtime's 512 are too few for clients that arrive at once, and of more, the system of some
 * tries again only after a second. Linux takes the lesser of this and net.core.somaxconn, whose default it is (man 2 listen).
 */
const QUEUE = 4096;
/**
 * Bytes of a connection that the system takes before it has sent them. Without a bound it takes more than a megabyte of an unread answer,
 * in memory that no figure of the process shows. What is on its way to a reader does not count (TCP_NOTSENT_LOWAT, man 7 tcp).
 */
const MOST_UNSENT_BYTES = 64 * 1024;
const IPPROTO_TCP = 6;
const TCP_NOTSENT_LOWAT = 25;
/** State of a listening socket in /proc/net/tcp. */
const LISTENING = "0A";
/** Of glibc, and of musl. */
const C_LIBRARIES = ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`];

/** For the socket of this process that listens on the port. Throws where that is not possible, as on other systems. */
export function tuneListener(port: number): void {
  const inodes = ["/proc/self/net/tcp", "/proc/self/net/tcp6"].flatMap((table) => listeningOn(table, port));
  const sockets = readdirSync("/proc/self/fd").filter((descriptor) => {
    const inode = /^socket:\[(\d+)\]$/.exec(linkOf(descriptor))?.[1];
    return inode !== undefined && inodes.includes(inode);
  });
  if (sockets.length === 0) throw new Error(`no socket of this process listens on port ${port}`);
  const { symbols, close } = openC();
  const unsent = new Int32Array([MOST_UNSENT_BYTES]);
  try {
    for (const descriptor of sockets.map(Number)) {
      if (symbols.listen(descriptor, QUEUE) !== 0) throw new Error("listen failed");
      const set = symbols.setsockopt(
        descriptor,
        IPPROTO_TCP,
        TCP_NOTSENT_LOWAT,
        ptr(unsent),
        unsent.byteLength,
      );
      if (set !== 0) throw new Error("setsockopt(TCP_NOTSENT_LOWAT) failed");
    }
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
      return dlopen(name, {
        listen: { args: ["int", "int"], returns: "int" },
        setsockopt: { args: ["int", "int", "int", "ptr", "u32"], returns: "int" },
      });
    } catch (fault) {
      faults.push(String(fault));
    }
  }
  throw new Error(faults.join("; "));
}
