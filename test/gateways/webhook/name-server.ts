/** A real name server on loopback: it answers A and AAAA as configured, and can change its answer from one question to the next. */

import { createSocket } from "node:dgram";
import { parseAddress } from "#domain/net/address.ts";
import { endsWithFile } from "#test/support/at-end.ts";

/** `answers` gives the addresses of a name, of both families; null: there is no such name; "silent": no answer at all. */
export async function startNameServer(
  answers: (name: string, type: "A" | "AAAA") => readonly string[] | null | "silent",
) {
  const questions: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const { name, type, end } = question(query);
    questions.push(`${name}/${type}`);
    const found = answers(name, type);
    if (found === "silent") return;
    const size = type === "A" ? 4 : 16;
    const records = (found ?? [])
      .map((address) => parseAddress(address) ?? [])
      .filter(({ length }) => length === size);
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(found === null ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(
      Buffer.concat([
        head,
        query.subarray(12, end),
        ...records.map((bytes) => record(type === "A" ? 1 : 28, bytes)),
      ]),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    at: `127.0.0.1:${socket.address().port}`,
    questions,
    stop: endsWithFile(() => void socket.close()),
  };
}

function question(query: Buffer): { name: string; type: "A" | "AAAA"; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), type: query.readUInt16BE(at + 1) === 28 ? "AAAA" : "A", end: at + 5 };
}

/** Valid for no time at all, as one that is about to change would say. */
function record(type: number, bytes: readonly number[]): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, Buffer.from(bytes)]);
}
