/** Mail over SMTP against a real server on loopback: messages arrive intact, nothing is injected, and no server blocks the process. */

import { expect, test } from "bun:test";
import { type AddressInfo, connect } from "node:net";
import { createServer } from "node:tls";
import { resetMail, verificationMail } from "#domain/account/identity.ts";
import { noMail, openSmtp, smtpFaults } from "#gateways/mail/smtp.ts";
import type { Mail, MailMessage } from "#ports/identity.ts";
import { makeAuthority } from "#test/gateways/webhook/certificate.ts";
import { until } from "#test/support/until.ts";
import { type ReceivedMail, readMail, type SmtpServer, startSmtp } from "./smtp-server.ts";

const FROM = "rates@example.com";
const LETTER: MailMessage = { to: "someone@example.com", subject: "A subject", text: "A text.\n" };

const mailTo = ({ port }: SmtpServer, credentials = "", deadlineSeconds = 30): Mail =>
  openSmtp({ url: `smtp://${credentials}127.0.0.1:${port}`, from: FROM, deadlineSeconds });

test.each([
  ["verification", verificationMail, "Confirm your e-mail address"],
  ["reset", resetMail, "Set a new password"],
] as const)("a %s message arrives intact, with its link on a line of its own", async (_, letter, subject) => {
  const server = await startSmtp();
  const link = `https://rates.example.com/verify?token=fxo_${"0".repeat(58)}`;
  const written = letter("https://rates.example.com", link);
  expect(await mailTo(server).send({ to: LETTER.to, ...written })).toEqual({ sent: true });

  const [received] = server.mails as [ReceivedMail];
  expect(received).toMatchObject({ from: FROM, to: [LETTER.to] });
  const { headers, text } = readMail(received);
  expect(Object.fromEntries(headers)).toMatchObject({ from: FROM, to: LETTER.to, subject });
  expect(headers.get("content-type")).toStartWith("text/plain");
  // RFC 3834: no notice of an absence comes back.
  expect(headers.get("auto-submitted")).toBe("auto-generated");
  expect(text.trimEnd()).toBe(written.text.trimEnd());
  expect(text.split("\n")).toContain(link);
});

test("a text with dots at line starts, long lines and other scripts arrives as it was", async () => {
  const server = await startSmtp();
  const text = `.\n..\n.hidden\n${"long ".repeat(300)}\nWährung ¥ 円 €\n`;
  expect(await mailTo(server).send({ ...LETTER, text, subject: "Währung ¥" })).toEqual({ sent: true });
  const [received] = server.mails as [ReceivedMail];
  expect(readMail(received).text.trimEnd()).toBe(text.trimEnd());
});

test("it signs in with the credentials of its address, decoded", async () => {
  const server = await startSmtp({ login: ["user@example.com", "p@ss/word"] });
  expect(await mailTo(server, "user%40example.com:p%40ss%2Fword@").send(LETTER)).toEqual({ sent: true });
  const wrong = await mailTo(server, "user%40example.com:wrong@").send(LETTER);
  expect(wrong).toEqual({ sent: false, fault: "unavailable", detail: "EAUTH, answered 535" });
});

test.each([
  "someone@example.com\r\nBcc: victim@example.com",
  "someone@example.com\nBcc: victim@example.com",
  "someone@example.com, victim@example.com",
  "someone@example.com;victim@example.com",
  "Some One <someone@example.com>",
  "<someone@example.com>",
  '"quoted local"@example.com',
  "someone@example.com (comment)",
  "someone@localhost",
  "someone@[127.0.0.1]",
  "someone@exam\u0000ple.com",
  "someone@-example.com",
  `${"x".repeat(65)}@example.com`,
  "@example.com",
  "",
])("%j is not one bare address, and nothing is sent", async (to) => {
  const server = await startSmtp();
  expect(await mailTo(server).send({ ...LETTER, to })).toMatchObject({ sent: false, fault: "bad_message" });
  expect(server.connections).toBe(0);
});

test.each(["a\r\nBcc: victim@example.com", "a\nb", "a\u0000", "a\u2028b", "\u202Etxet", "", "x".repeat(201)])(
  "%j is not one line for a subject, and nothing is sent",
  async (subject) => {
    const server = await startSmtp();
    expect(await mailTo(server).send({ ...LETTER, subject })).toMatchObject({ fault: "bad_message" });
    expect(server.connections).toBe(0);
  },
);

test("a text cannot start another message or another command", async () => {
  const server = await startSmtp();
  const text =
    "end\r\n.\r\nMAIL FROM:<x@evil.example>\r\nRCPT TO:<y@evil.example>\r\nDATA\r\nsmuggled\r\n.\r\n\n.\n.\r.\n";
  await mailTo(server).send({ ...LETTER, text });
  expect(server.mails).toHaveLength(1);
  expect(server.mails[0]).toMatchObject({ from: FROM, to: [LETTER.to] });
});

test.each([
  ["RCPT", "550 no such person", "rejected"],
  ["MAIL", "553 not this sender", "unavailable"],
  ["END", "554 looks like spam", "rejected"],
  ["RCPT", "451 later", "unavailable"],
  ["CONNECT", "421 too busy", "unavailable"],
  ["CONNECT", "554 no mail from this network", "unavailable"],
])("the answer to %s, %s, means %s, and its text is not repeated", async (command, answer, fault) => {
  const server = await startSmtp({ answers: { [command]: answer } });
  const outcome = await mailTo(server).send(LETTER);
  expect(outcome).toMatchObject({ sent: false, fault });
  expect(JSON.stringify(outcome)).toContain(answer.slice(0, 3));
  expect(JSON.stringify(outcome)).not.toContain(answer.slice(4));
});

test.each([
  ["says nothing", { silent: true }],
  ["answers for ever, byte by byte", { drip: true }],
])("a server that %s is given up at the deadline, and the connection is closed", async (_, behaviour) => {
  const server = await startSmtp(behaviour);
  expect(await mailTo(server, "", 1).send(LETTER)).toMatchObject({ sent: false, fault: "unavailable" });
  await until("the connection is closed", () => server.openConnections === 0);
});

test.each([
  ["does not say so in time", { answers: { END: "250-not yet" } }],
  ["resets the connection", { resets: true }],
])("a server that has the whole message and %s may have taken it", async (_, behaviour) => {
  const server = await startSmtp(behaviour);
  const outcome = await mailTo(server, "", 1).send(LETTER);
  expect(outcome).toMatchObject({ fault: "unavailable", mayHaveCome: true });
  expect(server.mails).toHaveLength(1);
});

test("a server that is not there, or a name that does not exist, is unavailable", async () => {
  const server = await startSmtp();
  await server.stop();
  expect(await mailTo(server).send(LETTER)).toMatchObject({ sent: false, fault: "unavailable" });
  const nowhere = openSmtp({ url: "smtp://mail.invalid:25", from: FROM, deadlineSeconds: 1 });
  expect(await nowhere.send(LETTER)).toMatchObject({ sent: false, fault: "unavailable" });
});

test("beyond loopback nothing is sent without TLS", async () => {
  const server = await startSmtp();
  // The same machine under a name that does not say so.
  const mail = openSmtp({ url: `smtp://[::ffff:127.0.0.1]:${server.port}`, from: FROM, deadlineSeconds: 1 });
  expect(await mail.send(LETTER)).toMatchObject({ sent: false, fault: "unavailable" });
  expect(server.mails).toEqual([]);
});

test("a self-signed certificate is taken within this machine, and nowhere else", async () => {
  const { port } = await startSmtp();
  const own = makeAuthority("unknown").issue("mail.example.com");
  const front = createServer(own, (socket) => socket.pipe(connect(port, "127.0.0.1")).pipe(socket));
  front.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  const sentTo = async (host: string) => {
    const url = `smtps://${host}:${(front.address() as AddressInfo).port}`;
    return (await openSmtp({ url, from: FROM, deadlineSeconds: 2 }).send(LETTER)).sent;
  };
  expect([await sentTo("localhost"), await sentTo("[::ffff:127.0.0.1]")]).toEqual([true, false]);
  front.close();
});

test("two messages at a time are under way, fifty wait, and more are refused at once", async () => {
  const server = await startSmtp();
  const mail = mailTo(server);
  const outcomes = await Promise.all(Array.from({ length: 60 }, () => mail.send(LETTER)));
  expect(outcomes.filter(({ sent }) => sent)).toHaveLength(52);
  expect(outcomes.filter((outcome) => !outcome.sent && outcome.fault === "unavailable")).toHaveLength(8);
  expect(server.mostAtOnce).toBe(2);
});

test("while the server hangs every message has its outcome within three deadlines", async () => {
  const server = await startSmtp({ silent: true });
  const mail = mailTo(server, "", 1);
  const before = performance.now();
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => mail.send(LETTER)));
  expect(performance.now() - before).toBeLessThan(4_000);
  expect(outcomes.every((outcome) => !outcome.sent && outcome.fault === "unavailable")).toBe(true);
});

test("without a server the failure names that", async () => {
  expect(noMail.configured).toBe(false);
  expect(await noMail.send(LETTER)).toMatchObject({ sent: false, fault: "not_configured" });
});

test.each([
  ["smtp://user:secret@mail.example.com:587", FROM, 0],
  ["smtps://mail.example.com", FROM, 0],
  ["smtp://[::1]:1025", FROM, 0],
  ["http://mail.example.com", FROM, 1],
  ["smtp://user:secret@mail.example.com/?tls.rejectUnauthorized=false", FROM, 1],
  ["mail.example.com:25", FROM, 1],
  ["smtp://user:secret%@mail.example.com", FROM, 1],
  ["smtp://", "Rates <rates@example.com>", 2],
])("the settings %s from %s have %d faults, reported without the password", (url, from, count) => {
  const faults = smtpFaults({ url, from });
  expect(faults).toHaveLength(count);
  expect(faults.join()).not.toContain("secret");
});
