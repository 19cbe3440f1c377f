/**
 * The clients of one phase, as a process of their own, so that what they cost is not the measured server's: `bun crowd.ts JOB`
 * with a job as JSON. Ends by itself and prints what came of it as JSON. The system resets what is still open then.
 */

import { type Client, codingOf, KINDS } from "./kinds.ts";
import type { Sending } from "./request.ts";
import type { Target } from "./targets.ts";

export interface Job {
  readonly host: string;
  readonly port: number;
  /** Name in KINDS. */
  readonly kind: string;
  /** Clients take turns with them. */
  readonly targets: readonly Target[];
  readonly connections: number;
  /** Different addresses that the clients come from, each in a /24 of its own as far as there are any; 1: 127.0.0.1. */
  readonly addresses: number;
  readonly seconds: number;
  /** Every other client sends it; null: none does. */
  readonly key: string | null;
}

export interface Crowd {
  readonly opened: number;
  /** Connections that came to an end before the phase did. */
  readonly ended: number;
  /** Answers by status, of the kinds that read so far. */
  readonly answers: Readonly<Record<string, number>>;
}

/** Between two rounds in which no connection came to its end. */
const PAUSE_MILLISECONDS = 5;

if (import.meta.main) console.log(JSON.stringify(await perform(JSON.parse(process.argv[2] ?? "") as Job)));

export async function perform(job: Job): Promise<Crowd> {
  const kind = KINDS[job.kind];
  if (kind === undefined) throw new Error(`no kind ${job.kind}`);
  const count = Math.min(job.connections, kind.most ?? job.connections);
  const sendings = sendingsOf(job);
  const answers: Record<string, number> = {};
  const answered = (status: number) => {
    answers[status] = (answers[status] ?? 0) + 1;
  };
  let opened = 0;
  let ended = 0;
  const open = (nth: number): Client => {
    const sending = sendings[opened++ % sendings.length];
    if (sending === undefined) throw new Error("a job without targets");
    const from = addressOf(nth % job.addresses, job.addresses);
    return kind.open({ host: job.host, port: job.port, from, answered }, sending);
  };
  const clients: Client[] = [];
  const end = performance.now() + job.seconds * 1000;
  while (performance.now() < end) {
    // A thousand at once would be more than the server's queue of new connections holds.
    for (let more = 0; more < 100 && clients.length < count; more++) clients.push(open(clients.length));
    const before = ended;
    const now = performance.now();
    clients.forEach(({ step, socket }, nth) => {
      if (step(now) === "open") return;
      socket.close();
      ended += 1;
      clients[nth] = open(nth);
    });
    await Bun.sleep(ended > before || kind.most !== undefined ? 0 : PAUSE_MILLISECONDS);
  }
  return { opened, ended, answers };
}

/** Every target in every coding, with and without the key. */
function sendingsOf({ targets, key }: Job): readonly Sending[] {
  const keys = key === null ? [null] : [key, null];
  return Array.from({ length: 4 }, (_, coding) => coding).flatMap((coding) =>
    targets.map(
      (target, nth): Sending => ({
        target,
        // Neighbours differ, so that a few clients already have all codings.
        coding: codingOf(coding + nth),
        key: keys[nth % keys.length] ?? null,
      }),
    ),
  );
}

function addressOf(nth: number, addresses: number): string {
  if (addresses === 1) return "127.0.0.1";
  return `127.${1 + (nth % 200)}.${Math.floor(nth / 200) % 256}.1`;
}
