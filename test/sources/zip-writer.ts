/** Writes small zip files for the tests, honest ones and, through the overrides, lying ones. */

import { deflateRawSync } from "node:zlib";

export interface ZipEntry {
  readonly name: string;
  readonly content: Uint8Array | string;
  readonly method?: number;
  readonly flags?: number;
  readonly crc?: number;
  readonly claimedSize?: number;
  /** The extra field of both headers, and the comment of the one in the directory. */
  readonly more?: string;
  /** Already deflated content, for bombs. */
  readonly packed?: Uint8Array;
}

export function zipOf(entries: readonly ZipEntry[], comment = ""): Uint8Array<ArrayBuffer> {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const content = Buffer.from(entry.content as Uint8Array);
    const { method = 8, flags = 0, crc = Bun.hash.crc32(content), claimedSize = content.length } = entry;
    const packed = Buffer.from(entry.packed ?? (method === 8 ? deflateRawSync(content) : content));
    const name = Buffer.from(entry.name);
    const more = Buffer.from(entry.more ?? "");
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(flags, 2);
    shared.writeUInt16LE(method, 4);
    shared.writeUInt32LE(crc, 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(claimedSize, 18);
    shared.writeUInt16LE(name.length, 22);
    shared.writeUInt16LE(more.length, 24);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), shared, name, more, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt16LE(more.length, 0);
    tail.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0000"), shared, tail, name, more, more]),
    );
    files.push(local);
    offset += local.length;
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", 0, "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directoryBytes.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return new Uint8Array(Buffer.concat([...files, directoryBytes, end, Buffer.from(comment)]));
}

/** `megabytes` of zeros, deflated, without ever holding them. */
export async function deflatedZeros(megabytes: number, format: "deflate-raw" | "gzip"): Promise<Uint8Array> {
  let left = megabytes;
  const zeros = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (left-- > 0) controller.enqueue(new Uint8Array(1024 * 1024));
      else controller.close();
    },
  });
  return await new Response(zeros.pipeThrough(new CompressionStream(format))).bytes();
}
