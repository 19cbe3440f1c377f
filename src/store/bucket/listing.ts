/** The answer to a listing of S3-compatible storage, as far as this program needs it. Pure. */

import { StorageAway } from "#store/delta/storage.ts";

export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  /** How long ago it was written, in milliseconds, by the storage's own clock. */
  readonly age: number;
}

/** `at` is the instant of the answer by the storage's clock. Throws StorageAway for a text that is no listing. */
export function listedIn(text: string, at: number): readonly ListedObject[] {
  if (!text.includes("<ListBucketResult")) throw new StorageAway("the answer to a listing is not one");
  return [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry = ""]) => {
    const [key, bytes, written] = [
      within(entry, "Key"),
      within(entry, "Size"),
      within(entry, "LastModified"),
    ];
    const object = {
      // `encoding-type=url`: nothing in it is markup.
      key: decodeURIComponent((key ?? "").replaceAll("+", " ")),
      bytes: Number(bytes ?? Number.NaN),
      age: at - Date.parse(written ?? ""),
    };
    if (key === null || Number.isNaN(object.bytes) || Number.isNaN(object.age))
      throw new StorageAway("an entry of a listing has no key, size or time");
    return object;
  });
}

/** Where the next page of a listing begins; null after the last. */
export function nextPageIn(text: string): string | null {
  if (within(text, "IsTruncated") !== "true") return null;
  const token = within(text, "NextContinuationToken");
  if (token === null) throw new StorageAway("a listing breaks off");
  return token
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

function within(text: string, name: string): string | null {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? null;
}
