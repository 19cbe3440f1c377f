/** One connection to one address, in stages: TCP, TLS, and a status for a request. Part of post.ts. */

// Sockets and not the runtime's HTTP clients: it must be certain which address is connected to, and those hold a status
// back until all headers have come.

import { connect, type Socket } from "node:net";
import { connect as startTls } from "node:tls";
import { parseAddress } from "#domain/net/address.ts";
import type { AttemptFault } from "#domain/webhook/endpoint.ts";
import { AttemptFailed } from "./attempt-failed.ts";
import { type StatusReader, statusReader } from "./status-line.ts";

/** Each rejects with AttemptFailed, also once `signal` is aborted; who opened a socket destroys it. */
export async function openSocket(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port, noDelay: true });
  // A socket may say that it failed after nobody waits any longer: unheard, that would end the process.
  socket.on("error", () => {});
  try {
    await stage<void>(socket, "connect", signal, (done) => socket.once("connect", () => done()));
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** The same connection, encrypted; the certificate must be of `host` and lead to a known authority, or to `ca`. */
export async function openTls(
  socket: Socket,
  host: string,
  ca: string | undefined,
  signal: AbortSignal,
): Promise<Socket> {
  const secured = startTls({
    socket,
    host,
    // An address is never a server name (RFC 6066 §3).
    ...(parseAddress(host) === null && { servername: host }),
    ...(ca !== undefined && { ca }),
    ALPNProtocols: ["http/1.1"],
    // Said here, it cannot be switched off by the environment.
    rejectUnauthorized: true,
  });
  secured.on("error", () => {});
  try {
    await stage<void>(secured, "tls", signal, (done) => secured.once("secureConnect", () => done()));
    return secured;
  } catch (error) {
    secured.destroy();
    throw error;
  }
}

/** Writes a request and waits until `read` has a status; whatever follows that is left unread. */
export function statusOf(
  socket: Socket,
  request: Uint8Array,
  signal: AbortSignal,
  read: StatusReader = statusReader(),
): Promise<number> {
  return stage<number>(socket, "closed", signal, (done, fail) => {
    socket.on("data", (chunk: Buffer) => {
      const status = read(chunk);
      if (status === "broken") fail("response");
      else if (status !== "more") done(status);
    });
    socket.write(request);
  });
}

/** Waits for what `arrange` listens for; the end of the socket before that is `fault`. */
async function stage<T>(
  socket: Socket,
  fault: AttemptFault,
  signal: AbortSignal,
  arrange: (done: (value: T) => void, fail: (fault: AttemptFault) => void) => void,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const fail = (kind: AttemptFault) => reject(new AttemptFailed(kind));
  const ended = (error?: unknown) => fail(isTlsError(error) ? "tls" : fault);
  const late = () => fail("timeout");
  socket.on("error", ended);
  socket.on("end", ended);
  socket.on("close", ended);
  signal.addEventListener("abort", late, { once: true });
  if (signal.aborted) late();
  else arrange(resolve, fail);
  try {
    return await promise;
  } finally {
    socket.removeListener("error", ended);
    socket.removeListener("end", ended);
    socket.removeListener("close", ended);
    socket.removeAllListeners("data");
    signal.removeEventListener("abort", late);
  }
}

/** A server may refuse after the handshake was done on our side, such as for want of a client's certificate. */
function isTlsError(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" && /^(?:ERR_SSL_|ERR_TLS_)/.test(code);
}
