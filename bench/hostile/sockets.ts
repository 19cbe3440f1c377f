/**
 * Plain TCP sockets of the system, for clients that must not do what a runtime's sockets do: read ahead, answer a close, or
 * keep a large receive buffer. Linux only. A client costs one descriptor and no buffer, so that a thousand of them are cheap.
 */

import { dlopen, ptr } from "bun:ffi";

const { symbols: c } = dlopen("libc.so.6", {
  socket: { args: ["i32", "i32", "i32"], returns: "i32" },
  setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" },
  bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
  connect: { args: ["i32", "ptr", "u32"], returns: "i32" },
  poll: { args: ["ptr", "u64", "i32"], returns: "i32" },
  send: { args: ["i32", "ptr", "u64", "i32"], returns: "i32" },
  recv: { args: ["i32", "ptr", "u64", "i32"], returns: "i32" },
  close: { args: ["i32"], returns: "i32" },
});

const AF_INET = 2;
const SOCK_STREAM_NONBLOCK = 1 | 0x800;
const SOL_SOCKET = 1;
const SO_RCVBUF = 8;
const SO_LINGER = 13;
const MSG_NOSIGNAL = 0x4000;
const POLLERR_OR_HUP = 0x18;
const SOCKADDR_BYTES = 16;

export interface SocketChoices {
  /** IPv4 address of the loopback network that the connection comes from, such as 127.1.0.7; by default 127.0.0.1. */
  readonly from?: string;
  /** The least that the system grants (4 KB), so that the server notices at once that the client does not read. */
  readonly smallBuffer?: boolean;
}

/** Bytes moved, 0 where none can be moved now, "ended" where the connection is over. */
export type Moved = number | "ended";

export interface RawSocket {
  /** Sends what the system takes now, from `offset` on. */
  send(bytes: Uint8Array, offset?: number): Moved;
  /** Reads at most `into.length` bytes that have arrived. */
  receive(into: Uint8Array): Moved;
  /** Whether the server has reset the connection, or closed it and all it sent was read. */
  isOver(): boolean;
  /** Ends in good order; `reset` sends RST and drops what is under way. */
  close(reset?: boolean): void;
}

/** Begins a connection to an IPv4 address; it is not waited for. Throws when the system has no more sockets. */
export function openSocket(host: string, port: number, choices: SocketChoices = {}): RawSocket {
  const descriptor = c.socket(AF_INET, SOCK_STREAM_NONBLOCK, 0);
  if (descriptor < 0) throw new Error("no more sockets: raise the limit of open files");
  if (choices.smallBuffer === true) setOption(descriptor, SO_RCVBUF, [4096]);
  if (choices.from !== undefined && c.bind(descriptor, ptr(addressOf(choices.from, 0)), SOCKADDR_BYTES) !== 0)
    throw new Error(`${choices.from} is no address of this machine`);
  c.connect(descriptor, ptr(addressOf(host, port)), SOCKADDR_BYTES);
  let isOpen = true;
  const polled = new Int32Array(2);
  const isOver = () => {
    if (!isOpen) return true;
    polled[0] = descriptor;
    polled[1] = 0;
    c.poll(ptr(polled), 1, 0);
    return (((polled[1] ?? 0) >> 16) & POLLERR_OR_HUP) !== 0;
  };
  // A negative count says that nothing could be moved now, or never again.
  const moved = (count: number): Moved => (count >= 0 ? count : isOver() ? "ended" : 0);
  return {
    isOver,
    send(bytes, offset = 0) {
      if (!isOpen) return "ended";
      const length = bytes.byteLength - offset;
      if (length <= 0) return 0;
      return moved(Number(c.send(descriptor, ptr(bytes, offset), length, MSG_NOSIGNAL)));
    },
    receive(into) {
      if (!isOpen) return "ended";
      const count = Number(c.recv(descriptor, ptr(into), into.byteLength, 0));
      return count === 0 ? "ended" : moved(count);
    },
    close(reset = false) {
      if (!isOpen) return;
      isOpen = false;
      if (reset) setOption(descriptor, SO_LINGER, [1, 0]);
      c.close(descriptor);
    },
  };
}

function setOption(descriptor: number, option: number, values: readonly number[]): void {
  const value = new Int32Array(values);
  c.setsockopt(descriptor, SOL_SOCKET, option, ptr(value), value.byteLength);
}

/** A sockaddr_in. */
function addressOf(host: string, port: number): Uint8Array {
  const address = new Uint8Array(SOCKADDR_BYTES);
  const view = new DataView(address.buffer);
  view.setUint16(0, AF_INET, true);
  view.setUint16(2, port);
  address.set(host.split(".").map(Number), 4);
  return address;
}
