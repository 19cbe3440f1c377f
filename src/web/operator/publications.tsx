/** Held publications of official tables on the operator's page, by table, with the buttons for a decision. */
/* @jsxImportSource preact */

import type { HeldPublication } from "#domain/official/doubts.ts";
import { Others } from "#web/shared/others.tsx";
import { When } from "#web/shared/when.tsx";
import { Action } from "./frame.tsx";

/** More of a table are decided together. */
const MOST_LISTED = 20;

/** What a page showed of these readings: another text once another one of them is held. */
export function seenAs(readings: readonly HeldPublication[]): string {
  return Bun.hash(
    readings.map(({ publication, fingerprint }) => `${publication} ${fingerprint}`).join("\n"),
  ).toString(36);
}

export function HeldPublications({
  tables,
}: {
  readonly tables: ReadonlyMap<string, readonly HeldPublication[]>;
}) {
  return (
    <section>
      <h2>Held publications</h2>
      {tables.size === 0 && <p class="dim">None.</p>}
      {[...tables].map(([table, readings]) => (
        <article key={table} class="room-held">
          <h3>{table}</h3>
          {readings.length > 1 && (
            <Decision table={table} readings={readings} all={` all ${readings.length}`} />
          )}
          {readings.slice(0, MOST_LISTED).map((reading) => (
            <div key={reading.publication}>
              <p>
                <b>{reading.publication}</b>, version {reading.version ?? 1}, read{" "}
                <When at={reading.firstReadAt} />: <Others>{reading.reason ?? ""}</Others>{" "}
                <span class="dim">({reading.rule ?? "decimal_slip"})</span>
              </p>
              <Decision table={table} readings={[reading]} publication={reading.publication} />
            </div>
          ))}
          {readings.length > MOST_LISTED && <p class="dim">… and {readings.length - MOST_LISTED} more.</p>}
        </article>
      ))}
    </section>
  );
}

function Decision({
  table,
  readings,
  publication,
  all = "",
}: {
  readonly table: string;
  readonly readings: readonly HeldPublication[];
  readonly publication?: string;
  readonly all?: string;
}) {
  const fields = { table, seen: seenAs(readings), ...(publication !== undefined && { publication }) };
  return (
    <div class="row actions">
      <Action path="/operator/figures/release-publications" fields={fields} name={`Release${all}`} />
      <Action path="/operator/figures/discard-publications" fields={fields} name={`Discard${all}`} />
    </div>
  );
}
