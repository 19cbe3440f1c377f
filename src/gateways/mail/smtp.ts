/** Sends mail over SMTP: bounded in time and connections, one recipient, no header from user input. */

import pLimit from "p-limit";
import { isLoopback } from "#domain/net/message.ts";
import { decoded, hostOf } from "#gateways/transport.ts";
import type { Mail, MailFault, MailMessage, MailOutcome } from "#ports/identity.ts";

interface SmtpOptions {
  /** `smtp://user:password@host:587` or `smtps://…:465`; no path, no query. */
  readonly url: string;
  readonly from: string;
  readonly deadlineSeconds?: number;
}

const CONNECTIONS = 2;
const WAITING = 50;

/** Faults of the settings, as sentences for the operator without the password; empty for usable settings. */
export function smtpFaults({ url, from }: Pick<SmtpOptions, "url" | "from">): readonly string[] {
  const faults: string[] = [];
  const parsed = URL.parse(url);
  if (parsed === null || !["smtp:", "smtps:"].includes(parsed.protocol) || parsed.hostname === "")
    faults.push("SMTP_URL: smtp://user:password@host:587 or smtps://… is needed");
  else if (!["", "/"].includes(parsed.pathname) || parsed.search !== "" || parsed.hash !== "")
    faults.push("SMTP_URL: nothing may follow host and port");
  else if (decoded(parsed.username) === null || decoded(parsed.password) === null)
    faults.push("SMTP_URL: a % in user or password is written %25");
  if (!isAddress(from)) faults.push("MAIL_FROM: one bare address such as rates@example.com is needed");
  return faults;
}

/** Mail without a configured server: every message is answered with the reason. */
export const noMail: Mail = {
  configured: false,
  send: () => Promise.resolve({ sent: false, fault: "not_configured", detail: "SMTP_URL is not set" }),
};

/** For settings without `smtpFaults`. Connects with the first message. */
export function openSmtp({ url, from, deadlineSeconds = 10 }: SmtpOptions): Mail {
  const limit = pLimit(CONNECTIONS);

  return {
    configured: true,
    async send(message) {
      const bad = badMessage(message);
      if (bad !== null) return failed("bad_message", bad);
      if (limit.activeCount + limit.pendingCount >= CONNECTIONS + WAITING)
        return failed("unavailable", "too many messages wait already");
      // Those who sign up wait for the outcome: while the server hangs it comes within three deadlines.
      const turn = AbortSignal.timeout(2000 * deadlineSeconds);
      return await limit(() =>
        turn.aborted
          ? failed("unavailable", "the messages before it took too long")
          : deliver(new URL(url), from, message, deadlineSeconds),
      );
    },
  };
}

async function deliver(
  server: URL,
  from: string,
  message: MailMessage,
  deadlineSeconds: number,
): Promise<MailOutcome> {
  const implicitTls = server.protocol === "smtps:";
  const milliseconds = deadlineSeconds * 1000;
  const user = decoded(server.username) ?? "";
  const isHere = isLoopback(new URL(server.href.replace(/^smtps?:/, "http:")));
  // Some ten megabytes: only servers that send mail load it.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    host: hostOf(server),
    port: server.port === "" ? (implicitTls ? 465 : 587) : Number(server.port),
    secure: implicitTls,
    // Links that open accounts, and the password, go unencrypted within this machine only.
    requireTLS: !implicitTls && !isHere,
    // A mail server on this machine may have the self-signed certificate of its package.
    tls: { rejectUnauthorized: !isHere },
    ...(user === "" ? {} : { auth: { user, pass: decoded(server.password) ?? "" } }),
    connectionTimeout: milliseconds / 2,
    greetingTimeout: milliseconds / 2,
    dnsTimeout: milliseconds / 2,
    // A peer that still talks after the deadline would keep its connection.
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { to, subject, text } = message;
  const deadline = AbortSignal.timeout(milliseconds);
  try {
    const envelope = { from, to: [to] };
    // No program that answers for an absent person should answer this (RFC 3834).
    const headers = { "Auto-Submitted": "auto-generated" };
    await transport.sendMail({ from, to, subject, text, headers, envelope, signal: deadline });
    return { sent: true };
  } catch (error) {
    return outcomeOf(error);
  } finally {
    transport.close();
  }
}

/** A 5xx answer about the recipient or the text is final; everything else may pass. The server's text may repeat the address: it is left out. */
function outcomeOf(error: unknown): MailOutcome {
  const { code, responseCode, command, syscall } = (error ?? {}) as Readonly<Record<string, unknown>>;
  const name = typeof code === "string" ? code : "unknown error";
  const isReset = syscall === "read" || syscall === "write";
  // When the deadline passed or the connection broke, the server may have had the whole message.
  if (name === "EABORT" || name === "ECONNECTION" || isReset)
    return { sent: false, fault: "unavailable", detail: name, mayHaveCome: true };
  if (typeof responseCode !== "number") return failed("unavailable", name);
  const isFinal =
    responseCode >= 500 && (name === "EMESSAGE" || (name === "EENVELOPE" && command !== "MAIL FROM"));
  return failed(isFinal ? "rejected" : "unavailable", `${name}, answered ${responseCode}`);
}

function failed(fault: MailFault, detail: string): MailOutcome {
  return { sent: false, fault, detail };
}

/** The addresses that browsers accept in a form (WHATWG HTML), with a dotted domain: no quotes, comments or display names. */
const ADDRESS =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const LONGEST_ADDRESS = 254;
const LONGEST_SUBJECT = 200;
const LARGEST_TEXT = 100_000;

function isAddress(text: string): boolean {
  return text.length <= LONGEST_ADDRESS && ADDRESS.test(text);
}

/** Why a message is not sent, or null. A line break in a header would start another header. */
function badMessage({ to, subject, text }: MailMessage): string | null {
  if (!isAddress(to)) return "the recipient is not one bare address";
  if (subject === "" || subject.length > LONGEST_SUBJECT || /[\p{C}\u2028\u2029]/u.test(subject))
    return "the subject is not one line of text";
  if (text.length > LARGEST_TEXT || text.includes("\0")) return "the text cannot be sent";
  return null;
}
