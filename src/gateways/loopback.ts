/** Recognizes addresses that never leave this machine. Only there may secrets go over plain HTTP. */

/** 127.0.0.0/8, ::1 and localhost; URL has already brought other spellings into these. */
export function isLoopback(url: URL): boolean {
  const host = url.hostname.toLowerCase();
  return host === "localhost" || host === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}
