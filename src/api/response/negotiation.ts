/**
 * Chooses the form that a client prefers, by the qualities in Accept and Accept-Encoding (RFC 9110 §12.5). npm's
 * `negotiator` breaks ties by the client's order, ours by the order of offers; it also sorts a list of objects for each
 * request.
 */

interface Preference {
  readonly name: string;
  /** 0 refuses. */
  readonly quality: number;
}

const QUALITY = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/;

function preferencesOf(header: string): readonly Preference[] {
  return header
    .toLowerCase()
    .split(",")
    .map((one) => {
      const [name = "", ...parameters] = one.split(";").map((part) => part.trim());
      const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      return { name, quality: q === undefined ? 1 : QUALITY.test(q) ? Number(q) : 0 };
    });
}

/**
 * Returns the offer with the highest quality, on a tie the first one; null when all are refused. The first listed name
 * of an offer decides.
 */
function preferred<T>(
  header: string,
  offers: readonly (readonly [names: readonly string[], value: T])[],
): T | null {
  const preferences = preferencesOf(header);
  let best: T | null = null;
  let bestQuality = 0;
  for (const [names, value] of offers) {
    let listed: Preference | undefined;
    for (const name of names) listed ??= preferences.find((preference) => preference.name === name);
    if (listed === undefined || listed.quality <= bestQuality) continue;
    best = value;
    bestQuality = listed.quality;
  }
  return best;
}

/**
 * Returns the value of Accept's preferred media type; null when the header is absent, or refuses them all (a readable
 * answer in the usual form is better than a 406).
 */
function preferredType<T>(
  accept: string | null,
  offers: readonly (readonly [mime: string, value: T])[],
): T | null {
  if (accept === null) return null;
  const named = offers.map(
    ([mime, value]) => [[mime, `${mime.slice(0, mime.indexOf("/"))}/*`, "*/*"], value] as const,
  );
  return preferred(accept, named);
}

/** A few programs send the same Accept header all the time: so many are remembered. */
const MOST_REMEMBERED = 64;
const LONGEST_REMEMBERED = 256;

/** Remembers preferredType's results, for routes with many requests. */
export function newTypePreference<T>(
  offers: readonly (readonly [mime: string, value: T])[],
): (accept: string | null) => T | null {
  const known = new Map<string, T | null>();
  return (accept) => {
    if (accept === null) return null;
    const found = known.get(accept);
    if (found !== undefined) return found;
    const value = preferredType(accept, offers);
    if (known.size >= MOST_REMEMBERED) known.clear();
    if (accept.length <= LONGEST_REMEMBERED) known.set(accept, value);
    return value;
  };
}

export type Encoding = "br" | "zstd" | "gzip";

const OFFERS = (["br", "zstd", "gzip"] as const).map((encoding) => [[encoding, "*"], encoding] as const);

/** Returns Accept-Encoding's preferred coding, of all or of the offered ones; null sends the body as it is. */
export function preferredEncoding(accepted: string, among?: readonly Encoding[]): Encoding | null {
  return preferred(
    accepted,
    among === undefined ? OFFERS : OFFERS.filter(([, coding]) => among.includes(coding)),
  );
}
