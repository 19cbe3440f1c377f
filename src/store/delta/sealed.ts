/** JSON texts that end with the SHA-256 of everything before it, so that damage to any byte is noticed. */

const END = '"}}\n';
const DIGEST_LENGTH = 64;

/** Completes a text that ends with `"sha256":"` inside the second-innermost object of its last line. */
export function seal(text: string): string {
  return `${text}${sha256(text)}${END}`;
}

/** Whether a text is exactly what `seal` made. */
export function isSealed(text: string): boolean {
  const digestStart = text.length - END.length - DIGEST_LENGTH;
  if (digestStart < 0 || !text.endsWith(END)) return false;
  return text.slice(digestStart, -END.length) === sha256(text.slice(0, digestStart));
}

function sha256(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}
