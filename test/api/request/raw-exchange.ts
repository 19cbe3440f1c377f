/** Raw bytes to a server, for what clients would tidy up before sending or after receiving. */

export async function rawExchange(port: number, request: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = "";
  await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: (socket) => void socket.write(request),
      data: (_, bytes) => {
        text += bytes.toString("latin1");
      },
      close: () => resolve(text),
      error: (_, fault) => reject(fault),
    },
  });
  return await promise;
}
