/** Official publications with metered access: their cost, the plans that may read them, and the free routes. */

import { expect, test } from "bun:test";
import { officialEvent } from "#domain/official/publication.ts";
import { noteWhole, versionOf } from "#test/official/version.ts";
import { day } from "#test/sources/documents.ts";
import { bearer, from, join, json, limitsIn } from "./client.ts";
import { fixedClock, openReplica } from "./replica.ts";

const clock = fixedClock();
const replica = await openReplica({ clock });

for (const date of ["1999-01-04", "2026-04-14"]) {
  const rows = [{ base: "USD", quote: "MXN", rate: "17.340000", unit: 1, kind: "mid" as const }];
  const version = versionOf({ table: "mex_dof", validFrom: day(date), rows, retrievedAt: clock.at });
  const table = { id: "mex_dof", country: "MEX", types: ["dof", "tax"], zone: "America/Mexico_City" };
  const published = [{ version, event: officialEvent(table, version) }];
  await replica.crossrate.accounts?.ledger.outbox.publish(published, clock.at);
}
if (replica.crossrate.accounts !== null)
  await noteWhole(replica.crossrate.accounts.ledger, "mex_dof", clock.at);

const ask = (path: string, headers: Record<string, string>) => fetch(`${replica.url}${path}`, { headers });

test("a call costs one, with the caller's limits in its headers, and its answer is not another caller's", async () => {
  const stranger = from("192.0.2.1");
  const paths = [
    "/v1/official",
    "/v1/official/changes",
    "/v1/official/MEX/dof/publications",
    "/v1/official/MEX/dof/publications/latest",
    "/v1/official/MEX/dof/publications/2026-04-14",
    "/v1/rate/usd-mxn-dof",
  ];
  const left: (number | undefined)[] = [];
  for (const path of paths) {
    const answer = await ask(path, stranger);
    await json(answer);
    expect(answer.headers.get("vary")).toEndWith("Authorization");
    left.push(limitsIn(answer)?.remaining);
  }
  expect(left).toEqual([11, 10, 9, 8, 7, 6]);
});

test("a plan's days of history limit rates only: old publications and changes are open to every caller", async () => {
  const { key } = await join(replica.url);
  for (const headers of [from("192.0.2.2"), bearer(key)]) {
    const old = await json(await ask("/v1/official/MEX/tax/publications/1999-01-04", headers));
    expect(old.rows[0].rate).toBe(17.34);
    const list = await json(await ask("/v1/official/MEX/tax/publications?from=1991-01-01", headers));
    expect(list.publications).toHaveLength(2);
    const changes = await json(await ask("/v1/official/changes?since=1991-01-01T00:00:00Z", headers));
    expect(changes.changes.map(({ id }: { id: string }) => id)).toEqual(["evt_mex_dof_2026-04-14_v1"]);
    expect((await ask("/v1/1999-01-04", headers)).status).toBe(403);
  }
});

test("so are the lake's files of publications, of all times, for one call each; those of rates are not", async () => {
  await (await replica.crossrate.openOfficial())?.copyToLake();
  const { key } = await join(replica.url);
  const daily = (await json(await ask("/v1/lake/manifest.json", bearer(key)))).files[0];
  for (const headers of [from("192.0.2.5"), bearer(key)]) {
    const { files } = await json(await ask("/v1/lake/official/manifest.json", headers));
    expect(files).toMatchObject([{ rows: 2, valid_from: { first: "1999-01-04", last: "2026-04-14" } }]);
    const left: (number | undefined)[] = [];
    for (const path of [files[0].path, files[0].current]) {
      const answer = await ask(`/v1/lake/${path}`, headers);
      expect((await answer.bytes()).byteLength).toBe(files[0].bytes);
      left.push(limitsIn(answer)?.remaining);
    }
    expect((left[0] as number) - (left[1] as number)).toBe(1);
    expect((await ask(`/v1/lake/${daily.path}`, headers)).status).toBe(403);
  }
});
