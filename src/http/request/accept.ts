/** Which of the offered media types an Accept header likes best: RFC 9110 §12.5.1. */

/**
 * The value of the offer with the highest quality, on a tie the first one offered; null when the header is absent, or
 * refuses them all (then the caller answers in its usual form: a readable answer beats a 406).
 */
export function preferredType<T>(
  accept: string | null,
  offers: readonly (readonly [mime: string, value: T])[],
): T | null {
  if (accept === null) return null;
  const ranges = accept.split(",").map(parse);
  let best: { readonly value: T; readonly quality: number } | null = null;
  for (const [mime, value] of offers) {
    const quality = qualityOf(mime, ranges);
    if (quality > (best?.quality ?? 0)) best = { value, quality };
  }
  return best?.value ?? null;
}

interface MediaRange {
  readonly type: string;
  readonly quality: number;
}

function parse(text: string): MediaRange {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  const quality = q === undefined ? 1 : /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(q) ? Number(q) : 0;
  return { type, quality };
}

/** The most specific range decides. */
function qualityOf(mime: string, ranges: readonly MediaRange[]): number {
  const family = `${mime.slice(0, mime.indexOf("/"))}/*`;
  for (const type of [mime, family, "*/*"]) {
    const found = ranges.find((range) => range.type === type);
    if (found !== undefined) return found.quality;
  }
  return 0;
}
