/** A small real SMTP server on loopback that records what it receives, with ways to misbehave. */

import { createServer, type Socket } from "node:net";
import { endsWithFile } from "#test/support/at-end.ts";

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Header and body as they came, lines ended by \r\n. */
  readonly data: string;
}

/** `silent`: takes connections and says nothing. `drip`: greets, then one byte at a time. `resets`: breaks off after a message. `answers`: by command, `CONNECT` and `END` among them. */
export interface Behaviour {
  readonly silent?: boolean;
  readonly drip?: boolean;
  readonly resets?: boolean;
  readonly answers?: Readonly<Record<string, string>>;
  /** User and password that AUTH PLAIN must bring. */
  readonly login?: readonly [string, string];
}

export type SmtpServer = Awaited<ReturnType<typeof startSmtp>>;

export async function startSmtp(behaviour: Behaviour = {}) {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const traffic = { connections: 0, now: 0, most: 0 };
  const server = createServer((socket) => {
    sockets.add(socket);
    traffic.connections++;
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    if (behaviour.drip === true) drip(socket);
    else if (behaviour.silent !== true) converse(socket, behaviour, mails, traffic);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    mails,
    /** Connections there ever were, and the most messages that were under way at once. */
    get connections() {
      return traffic.connections;
    },
    get mostAtOnce() {
      return traffic.most;
    },
    get openConnections() {
      return sockets.size;
    },
    stop: endsWithFile(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    }),
  };
}

function drip(socket: Socket): void {
  socket.write("220 test ESMTP\r\n");
  const timer = setInterval(() => socket.write("2"), 50);
  socket.on("close", () => clearInterval(timer));
}

function converse(
  socket: Socket,
  { answers = {}, login, resets = false }: Behaviour,
  mails: ReceivedMail[],
  traffic: { now: number; most: number },
): void {
  let buffered = "";
  let data: string | null = null;
  let mail = { from: "", to: [] as string[] };
  const say = (line: string) => socket.write(`${line}\r\n`);
  say(answers["CONNECT"] ?? "220 test ESMTP");
  socket.on("data", (chunk) => {
    buffered += chunk.toString();
    for (let end = buffered.indexOf("\r\n"); end >= 0; end = buffered.indexOf("\r\n")) {
      const line = buffered.slice(0, end);
      buffered = buffered.slice(end + 2);
      if (data === null) command(line);
      else if (line !== ".") data += `${line.replace(/^\.\./, ".")}\r\n`;
      else {
        mails.push({ ...mail, data });
        data = null;
        traffic.now--;
        if (resets) socket.resetAndDestroy();
        else say(answers["END"] ?? "250 taken");
      }
    }
  });

  function command(line: string): void {
    const verb = line.split(/[ :]/, 1)[0]?.toUpperCase() ?? "";
    const override = answers[verb];
    if (override !== undefined) return void say(override);
    if (verb === "EHLO") return void say(login === undefined ? "250 test" : "250-test\r\n250 AUTH PLAIN");
    if (verb === "AUTH") {
      const expected = Buffer.from(`\0${login?.join("\0")}`).toString("base64");
      return void say(line === `AUTH PLAIN ${expected}` ? "235 welcome" : "535 no");
    }
    if (verb === "MAIL") {
      mail = { from: addressIn(line), to: [] };
      traffic.most = Math.max(traffic.most, ++traffic.now);
    }
    if (verb === "RCPT") mail.to.push(addressIn(line));
    if (verb === "DATA") {
      data = "";
      return void say("354 go on");
    }
    if (verb === "QUIT") return void socket.end("221 bye\r\n");
    say("250 ok");
  }
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? "";
}

/** What a mail program shows of it. */
export function readMail({ data }: ReceivedMail) {
  const [head = "", body = ""] = data.split(/\r\n\r\n([\s\S]*)/);
  const headers = new Map(
    head
      .replace(/\r\n[ \t]+/g, " ")
      .split("\r\n")
      .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
  );
  const unfolded = body.replace(/=\r\n/g, "").replace(/\r\n/g, "\n");
  const isQuoted = headers.get("content-transfer-encoding") === "quoted-printable";
  const bytes = unfolded.replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return { headers, text: isQuoted ? Buffer.from(bytes, "latin1").toString() : unfolded };
}
