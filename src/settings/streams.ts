/** Places of the stream, and who may take how many of them. */

import type { SettingsReader } from "./reader.ts";

export interface StreamSettings {
  /** Streams that one organization, or without a key one address, may have open at once. */
  readonly perCaller: number;
  /** The same for all addresses of one /24 (IPv6: one /56) together. */
  readonly perNetwork: number;
  /** The same for all callers without a key together, where there are keys; null where nothing is reserved for those. */
  readonly keyless: number | null;
}

/** `places` are all that there are. */
export function readStreams(read: SettingsReader, places: number): StreamSettings {
  const reserved = Math.floor((places * read.integer("STREAM_KEY_SHARE", 0, 100)) / 100);
  return {
    perCaller: read.integer("STREAMS_PER_CALLER", 1, 100_000),
    perNetwork: read.integer("STREAMS_PER_NETWORK", 1, 100_000),
    keyless: reserved === 0 ? null : places - reserved,
  };
}
