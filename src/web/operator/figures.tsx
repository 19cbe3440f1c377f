/** The operator's page of held figures and refused quotes, each with its evidence and the buttons for a decision. */
/* @jsxImportSource preact */

import type { HeldEvidence } from "#domain/acceptance/evidence.ts";
import { RELEASABLE_RULES } from "#domain/acceptance/rules.ts";
import type { Statement } from "#domain/acceptance/statements.ts";
import type { QuoteRelease } from "#domain/live/reference.ts";
import type { RefusedQuote } from "#domain/live/refused.ts";
import type { HeldPublication } from "#domain/official/doubts.ts";
import { formatDay, type Instant } from "#domain/time/day.ts";
import { dateOf } from "#web/shared/figure.tsx";
import { Others } from "#web/shared/others.tsx";
import { When } from "#web/shared/when.tsx";
import { SOURCE_NAMES } from "#web/shared/words.ts";
import { Action, roomPage } from "./frame.tsx";
import { HeldPublications } from "./publications.tsx";

export interface FiguresProps {
  readonly held: readonly HeldEvidence[];
  /** By table. */
  readonly publications: ReadonlyMap<string, readonly HeldPublication[]>;
  /** Null before any server has collected live quotes. */
  readonly refused: { readonly at: Instant; readonly refused: readonly RefusedQuote[] } | null;
  readonly releases: readonly QuoteRelease[];
  readonly notice: string | null;
  readonly refusal: string | null;
}

export function figuresPage({
  held,
  publications,
  refused,
  releases,
  notice,
  refusal,
}: FiguresProps): string {
  return roomPage({
    title: "Figures",
    section: "figures",
    notice,
    refusal,
    children: (
      <>
        <h1>Held figures</h1>
        <p class="lead">
          A held figure is stored and not served. Release it when the authority means it; discard it when it
          does not.
        </p>
        {held.length === 0 && <p>Nothing is held.</p>}
        {held.map((evidence) => (
          <Held key={nameOf(evidence)} {...evidence} />
        ))}
        <HeldPublications tables={publications} />
        <section>
          <h2>Refused live quotes</h2>
          {refused === null ? (
            <p class="dim">No server has collected live quotes here yet.</p>
          ) : refused.refused.length === 0 ? (
            <p class="dim">
              None, as of <When at={refused.at} />.
            </p>
          ) : (
            refused.refused.map((quote) => <Refused key={`${quote.feed} ${quote.currency}`} {...quote} />)
          )}
        </section>
        <section>
          <h2>Releases in force</h2>
          {releases.length === 0 ? (
            <p class="dim">None.</p>
          ) : (
            <ul>
              {releases.map(({ at, feed, currency, price, reference }) => (
                <li key={`${feed} ${currency} ${at}`}>
                  {feed} {currency} near {price}, on <When at={at} />, until{" "}
                  {reference === null ? (
                    "the first daily reference"
                  ) : (
                    <>
                      a daily reference after <When at={reference.observedAt} />
                    </>
                  )}
                </li>
              ))}
            </ul>
          )}
        </section>
      </>
    ),
  });
}

function nameOf({ held: { source, date }, currency }: HeldEvidence): string {
  return `${source} ${formatDay(date)} ${currency}`;
}

function Held({ held, currency, believed, statements }: HeldEvidence) {
  const { source, date, base, quote, printed, rule, reason, retrievedAt, document } = held;
  const name = { source, date: formatDay(date), currency, printed };
  const canRelease = RELEASABLE_RULES.has(rule);
  return (
    <section class="room-held">
      <h2>
        {base}/{quote}, {dateOf(formatDay(date))}
      </h2>
      <p>
        <Others>{reason}</Others> <span class="dim">({rule})</span>
      </p>
      <dl class="room-evidence">
        <div>
          <dt>Held</dt>
          <dd>
            <b>{printed}</b>
            <span class="dim">
              {SOURCE_NAMES[source]?.long ?? source}, read <When at={retrievedAt} />
            </span>
            <span class="dim long-address">{document}</span>
          </dd>
        </div>
        <div>
          <dt>Last believed</dt>
          <dd>
            <b>{believed?.printed ?? "none"}</b>
            {believed !== null && (
              <span class="dim">
                of {dateOf(formatDay(believed.date))}, read <When at={believed.retrievedAt} />
              </span>
            )}
          </dd>
        </div>
        <div>
          <dt>Routes of the source state</dt>
          <dd>
            {statements.length === 0 && <span class="dim">nothing that differs from what is believed</span>}
            {statements.map((said) => (
              <span key={`${said.route} ${said.first}`}>
                {said.route}: <b>{saidText(said)}</b>
              </span>
            ))}
          </dd>
        </div>
      </dl>
      <div class="room-actions">
        {canRelease && <Action path="/operator/figures/release" fields={name} name="Release" />}
        <Action path="/operator/figures/discard" fields={name} name="Discard" />
        {!canRelease && <span class="dim">This rule cannot be overruled.</span>}
      </div>
    </section>
  );
}

function saidText({ says, printed }: Statement): string {
  if (says === "value") return printed ?? "a value";
  return says === "nothing" ? "no figure" : "what is believed";
}

function Refused({ feed, currency, pair, price, rule, reason, observedAt, since, reference }: RefusedQuote) {
  return (
    <article class="room-held">
      <h3>
        {pair}, {feed}
      </h3>
      <p>
        <Others>{reason}</Others> <span class="dim">({rule})</span>
      </p>
      <dl class="room-evidence">
        <div>
          <dt>Refused</dt>
          <dd>
            <b>{price}</b>
            <span class="dim">
              of <When at={observedAt} />, doubted since <When at={since} />
            </span>
          </dd>
        </div>
        <div>
          <dt>Daily reference, per dollar</dt>
          <dd>
            <b>{reference === null ? "none" : reference.perDollar.toPrecision(6)}</b>
            {reference !== null && (
              <span class="dim">
                of <When at={reference.observedAt} />
              </span>
            )}
          </dd>
        </div>
      </dl>
      <div class="room-actions">
        <Action
          path="/operator/figures/release-quote"
          fields={{ feed, currency, price }}
          name="Release near this price"
        />
      </div>
    </article>
  );
}
