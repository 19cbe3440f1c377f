/** Whether an address cannot leave this machine: only there plain http is good enough for secrets. */

/** 127.0.0.0/8, ::1 and localhost; URL has already brought other spellings into these. */
export function isLoopback(url: URL): boolean {
  const host = url.hostname.toLowerCase();
  return host === "localhost" || host === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}
