/** Callers with mixed questions at full speed, as a process of their own: `bun mixed-load.ts JOB`. Prints what came of it as JSON. */

import { seededRandom } from "#test/support/seeded-random.ts";
import { codingOf } from "./kinds.ts";
import { mixedUrl } from "./mixed-urls.ts";

export interface MixedJob {
  readonly url: string;
  readonly seconds: number;
  readonly callers: number;
  readonly seed: number;
}

export interface MixedLoad {
  /** Answers by status. */
  readonly answers: Readonly<Record<string, number>>;
  readonly megabytes: number;
}

interface Known {
  readonly path: string;
  readonly tag: string;
}

/** Of a caller's questions: the one before again, with the tag that came with its answer. */
const CONDITIONAL = 0.2;

if (import.meta.main)
  console.log(JSON.stringify(await perform(JSON.parse(process.argv[2] ?? "") as MixedJob)));

async function perform({ url, seconds, callers, seed }: MixedJob): Promise<MixedLoad> {
  const answers: Record<string, number> = {};
  let bytes = 0;
  const end = performance.now() + seconds * 1000;
  const call = async (nth: number) => {
    const random = seededRandom(seed + nth);
    let known: Known | null = null;
    for (let count = 0; performance.now() < end; count++) {
      const again: Known | null = random() < CONDITIONAL ? known : null;
      const path: string = again?.path ?? mixedUrl(random);
      const headers = {
        "accept-encoding": codingOf(count),
        ...(again === null ? {} : { "if-none-match": again.tag }),
      };
      const answer: Response = await fetch(url + path, { headers, decompress: false });
      bytes += (await answer.arrayBuffer()).byteLength;
      answers[answer.status] = (answers[answer.status] ?? 0) + 1;
      const tag = answer.headers.get("etag");
      known = tag === null ? null : { path, tag };
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, nth) => call(nth)));
  return { answers, megabytes: bytes / 1e6 };
}
