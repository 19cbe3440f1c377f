/** Names in Host headers and in the settings that list them. */

const HOST = /^([a-z0-9_][a-z0-9._-]{0,254}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * The name in a Host header, without its port: lower case, without the dot at the end of a complete name, an IPv6 address in brackets and in
 * its shortest form. Null where it is malformed.
 */
export function hostNameOf(host: string): string | null {
  const name = HOST.exec(host)?.[1]?.toLowerCase();
  if (name === undefined) return null;
  if (name.startsWith("[")) return URL.parse(`http://${name}`)?.hostname ?? null;
  return name.endsWith(".") ? name.slice(0, -1) : name;
}

/** The same of a setting, which may leave out the brackets of an IPv6 address. Null for anything else than a name: one with a port, too. */
export function settingHostName(text: string): string | null {
  const isBare = /^[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*$/i.test(text);
  if (!isBare && /:\d*$/.test(text)) return null;
  return hostNameOf(isBare ? `[${text}]` : text);
}

export const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** An address, or a name without a dot: no page of another site can have it as its own. */
export function isNoPublicName(name: string): boolean {
  return name.startsWith("[") || /^[\d.]+$/.test(name) || !name.includes(".");
}
