/** Open connections of a port, as the system lists them: read at a scrape, so that they cost no request anything. */

import { promises } from "node:fs";

/** One list for each protocol; that of IPv6 is missing where the system has none. */
const LISTS = ["/proc/net/tcp", "/proc/net/tcp6"] as const;
const ESTABLISHED = "01";

/**
 * Established connections to a TCP port of this network namespace, on whichever of its addresses; those that wait to be
 * accepted are among them. Null where the system does not list them (it is not Linux).
 */
export async function connectionsOf(port: number): Promise<number | null> {
  const texts = await Promise.all(LISTS.map(textOf));
  const found = texts.filter((text) => text !== null);
  if (found.length === 0) return null;
  return found.reduce((sum, text) => sum + establishedIn(text, port), 0);
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await promises.readFile(path, "latin1");
  } catch (fault) {
    if ((fault as { code?: unknown }).code === "ENOENT") return null;
    throw fault;
  }
}

/**
 * Lines of such a list whose own side is the port: `sl local:port remote:port state …`, ports in hexadecimal. A client on the same machine has
 * a line of its own, with the port on the other side.
 */
export function establishedIn(text: string, port: number): number {
  const own = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  let count = 0;
  for (const line of text.split("\n")) {
    const [, local = "", , state] = line.trim().split(/ +/, 4);
    if (state === ESTABLISHED && local.endsWith(own)) count += 1;
  }
  return count;
}
