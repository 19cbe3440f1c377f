/** Thrift's compact protocol, as far as a Parquet footer needs it: bytes to a tree and back, nothing lost on the way. */

/** Field types of the protocol. Booleans of structs are in the type itself. */
const [TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
] as const;

export interface Field {
  readonly id: number;
  readonly type: number;
  value: Value;
}
export interface List {
  readonly of: number;
  readonly items: readonly Value[];
}
export interface Struct {
  readonly fields: readonly Field[];
}
/** Integers are bigint, strings and bytes Uint8Array, doubles and single bytes their raw bytes; null stands for a boolean field. */
export type Value = bigint | Uint8Array | List | Struct | null;

/** Reads one struct from the beginning of the bytes. Throws on what a Parquet footer never has (maps) or on torn bytes. */
export function readStruct(bytes: Uint8Array): Struct {
  let at = 0;
  const byte = (): number => {
    const next = bytes[at];
    if (next === undefined) throw new Error("the footer ends too early");
    at += 1;
    return next;
  };
  const take = (count: number): Uint8Array => {
    if (at + count > bytes.length) throw new Error("the footer ends too early");
    at += count;
    return bytes.subarray(at - count, at);
  };
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const next = byte();
      value |= BigInt(next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
  };
  const zigzag = (): bigint => {
    const raw = varint();
    return raw & 1n ? -((raw + 1n) >> 1n) : raw >> 1n;
  };
  const value = (type: number, inList: boolean): Value => {
    if (type === TRUE || type === FALSE) return inList ? take(1) : null;
    if (type === BYTE) return take(1);
    if (type === DOUBLE) return take(8);
    if (type === I16 || type === I32 || type === I64) return zigzag();
    if (type === BINARY) return take(Number(varint()));
    if (type === LIST || type === SET) return list();
    if (type === STRUCT) return struct();
    throw new Error(`a footer has no field of type ${type === MAP ? "map" : type}`);
  };
  const list = (): List => {
    const head = byte();
    const of = head & 15;
    const count = head >> 4 === 15 ? Number(varint()) : head >> 4;
    return { of, items: Array.from({ length: count }, () => value(of, true)) };
  };
  const struct = (): Struct => {
    const fields: Field[] = [];
    for (let id = 0; ; ) {
      const head = byte();
      if (head === 0) return { fields };
      id = head >> 4 === 0 ? Number(zigzag()) : id + (head >> 4);
      fields.push({ id, type: head & 15, value: value(head & 15, false) });
    }
  };
  return struct();
}

/** The bytes of a struct; `readStruct` of them gives it back. */
export function writeStruct(root: Struct): Uint8Array {
  const parts: Uint8Array[] = [];
  const varint = (value: bigint) => {
    const digits: number[] = [];
    let rest = value;
    for (; rest >= 0x80n; rest >>= 7n) digits.push(Number(rest & 0x7fn) | 0x80);
    digits.push(Number(rest));
    parts.push(Uint8Array.from(digits));
  };
  const zigzag = (value: bigint) => varint(value < 0n ? -value * 2n - 1n : value * 2n);
  const put = (type: number, value: Value) => {
    if (value === null) return;
    if (typeof value === "bigint") zigzag(value);
    else if (value instanceof Uint8Array) {
      if (type === BINARY) varint(BigInt(value.length));
      parts.push(value);
    } else if ("fields" in value) struct(value);
    else {
      const { of, items } = value;
      if (items.length < 15) parts.push(Uint8Array.of((items.length << 4) | of));
      else {
        parts.push(Uint8Array.of(0xf0 | of));
        varint(BigInt(items.length));
      }
      for (const item of items) put(of, item);
    }
  };
  const struct = ({ fields }: Struct) => {
    let last = 0;
    for (const { id, type, value } of fields) {
      const step = id - last;
      if (step > 0 && step < 16) parts.push(Uint8Array.of((step << 4) | type));
      else {
        parts.push(Uint8Array.of(type));
        zigzag(BigInt(id));
      }
      put(type, value);
      last = id;
    }
    parts.push(Uint8Array.of(0));
  };
  struct(root);
  return Buffer.concat(parts);
}
