/** What a page may load and run: only this server's own files, and the one inline script whose hash this is. */

import { createHash } from "node:crypto";
import { THEME_SCRIPT } from "./theme.ts";

const themeHash = createHash("sha256").update(THEME_SCRIPT).digest("base64");

export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${themeHash}'`,
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");
