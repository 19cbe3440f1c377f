/** A real lake of one year behind a real listening server, whose JSON answers come from the same lake. */

import { type Day, formatDay } from "#domain/day.ts";
import { buildHistory } from "#domain/history.ts";
import type { Observation } from "#domain/observation.ts";
import { createApp } from "#http/app.ts";
import type { Lake } from "#ports.ts";
import { openLakeFiles } from "#store/lake/files.ts";
import { openLake } from "#store/lake/lake.ts";
import { change, day, held, observation } from "#test/store/lake/sample.ts";
import { NOW, openTestApp } from "./harness.ts";

export interface LakeServer {
  readonly lake: Lake;
  readonly port: number;
  /** Without a slash at the end. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Every weekday of 2025 for three currencies, of which one figure was corrected and one is held. */
export async function serveLake(directory: string): Promise<LakeServer> {
  const lake = await openLake({ directory, simulated: false });
  await lake.commit(() => change({ accepted: figuresOf2025() }));
  await lake.commit(() =>
    change({
      accepted: [observation("2025-03-04", "USD", "1.0557", { name: "second", revision: 2 })],
      held: [held("2025-12-31", "JPY", "1840.92")],
    }),
  );
  const { version, observations } = await lake.read();
  const dataset = {
    history: buildHistory(version, observations),
    coveredThrough: { ecb_daily: day("2026-04-13") },
    simulated: false,
  };
  const { deps } = openTestApp({
    dataset: () => dataset,
    lakeFiles: openLakeFiles(directory),
    clock: { now: () => NOW },
  });
  const app = createApp(deps).listen({ port: 0, hostname: "127.0.0.1", development: false });
  const port = app.server?.port as number;
  return {
    lake,
    port,
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      await app.server?.stop(true);
      await lake.close();
    },
  };
}

function figuresOf2025(): readonly Observation[] {
  const figures: Observation[] = [];
  for (let date: Day = day("2025-01-02"); date <= day("2025-12-31"); date++) {
    if ((date + 4) % 7 === 0 || (date + 4) % 7 === 6) continue;
    const text = formatDay(date);
    const turn = (date * 7919) % 1000;
    figures.push(
      observation(text, "USD", (1.05 + turn / 10_000).toFixed(4)),
      observation(text, "GBP", (0.83 + turn / 20_000).toFixed(5)),
      observation(text, "JPY", (160 + turn / 50).toFixed(2)),
    );
  }
  return figures;
}
