// biome-ignore-all format: a generated file
// biome-ignore-all lint: a generated file
/** Generated from /openapi.json by `bun run generate`: do not edit. */

export interface paths {
    "/v1/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Latest rates
         * @description The newest rate of every currency, or of `symbols`, on a base (USD by default).
         */
        get: operations["getLatest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/latest/{path_base}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Latest rates on the base in the path
         * @description The same as `/v1/latest`, with the base in the path.
         */
        get: operations["getLatestOnBase"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Latest rates as they change
         * @description Server-Sent Events. The query is that of `/v1/latest`.
         *     - `snapshot` comes first: the `LatestResponse` of this query. It replaces everything received before.
         *     - `rates` follows with every change: a `LatestResponse` of the currencies with a change of rate, source, `effective_at`, `stale` or place in `derived_symbols`, or of all when `market_session` changed. `rates`, `sources`, `effective_at` and `stale` replace what was there member by member; `source`, `data_updated_at` and `notice` are of the currencies in the event. `simulated`, only in the demo, is of the currencies in the event too: one that it does not name is real. `missing_symbols` comes with snapshots only: a currency in `rates` is missing no longer.
         *     - `unavailable` carries an error envelope when no rate is left to serve; a `snapshot` follows once there is one.
         *
         *     Every event has an `id`; a comment with the serving time comes after 15 seconds without one. A reader that is slow gets all it has missed in one event; one that takes nothing for a minute is disconnected. Example of what follows a snapshot:
         *
         *     ```
         *     event: rates
         *     id: 79a4a7ed278dad43f259a2-43783ed8
         *     data: {"result":"success","base":"USD","source":"live","sources":{"EUR":"live"},"market_session":"open",…}
         *
         *     : 2026-04-13T16:30:15Z
         *     ```
         */
        get: operations["getStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{date}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rates of a past day
         * @description The rates of one day as published. A day without a publication answers with the preceding ones, at most 14 days back. `as_of` puts the answer back to what was known at an instant.
         */
        get: operations["getHistorical"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{date}/{path_base}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rates of a past day on the base in the path
         * @description The same as `/v1/{date}`, with the base in the path.
         */
        get: operations["getHistoricalOnBase"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fluctuation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Change of rates between two days
         * @description Both ends as `/v1/{date}` has them, each with the day of its figures; the change, exact and in percent; the smallest and the largest rate between them. A currency without a rate on one of the days is absent, and named in `missing_symbols`.
         */
        get: operations["getFluctuation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/average": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Means of rates over a period
         * @description For tax returns and accounts: the mean of the rates of a period, with its days, its first and last rate, and the smallest and the largest. A currency without a rate in the period is absent, and named in `missing_symbols`.
         */
        get: operations["getAverage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rate/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Latest rate of one pair
         * @description One pair by its slug `<base>-<quote>`, in any case; only `GBp`, `ZAc` and `ILa`, pence and cents in market data, are refused. `usd-mxn-banxico` (the FIX) and `usd-mxn-dof` (the Diario Oficial) are the official Mexican values as published, where the server collects them; no other source is ever in them.
         */
        get: operations["getRate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/explain/{from_ccy}/{to_ccy}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where a rate comes from
         * @description The figures that one rate is made of, each as published with its document, times and earlier values; the exact computation; and a query over the lake that returns the same rate. It is the rate of `/v1/{date}`, or without `date` of `/v1/latest`, digit for digit.
         */
        get: operations["explainRate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/convert/{from_ccy}/{to_ccy}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Convert an amount
         * @description Converts `amount` (1 when omitted) at the latest rate, or at that of `date`.
         */
        get: operations["convertPair"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/convert/{from_ccy}/{to_ccy}/{amount}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Convert the amount in the path
         * @description The same as `/v1/convert/{from_ccy}/{to_ccy}`, with the amount in the path.
         */
        get: operations["convertAmount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/convert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Convert a batch of amounts
         * @description Converts amounts of one currency into several others at the latest rates, all from the same data. A target without a rate is in `missing_symbols`; a pair with a fault refuses the whole batch. It counts as one call a pair.
         */
        post: operations["convertPairs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/convert/dated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Convert amounts, each at the rate of its day
         * @description Converts up to 1,000 amounts, each by the daily reference rates of its own day or by the official table that it names. All are converted, or none: a refusal names every item with a fault (`errors`), and a table's rows by their lines. The answer has the type of the body. It counts as one call an item.
         */
        post: operations["convertDatedItems"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/range": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Time series, daily or by week, month, quarter or year
         * @description Rates from `start_date` to `end_date`, both included: one row a date on which something was published. JSON comes in pages of at most 366 rows; follow `next_cursor` while `has_more`. `as_of` puts the answer back to what was known at an instant; `updated_after` keeps a copy up to date. Every other format is one file with the whole window: it starts at once, in chunks; once it is finished (a second request, `HEAD`, `Range`) it has its length, its digest and parts.
         */
        get: operations["getRange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lake/manifest.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the lake holds
         * @description Every file of daily figures in their newest version, with its rows, size, digest and ranges. `version` changes with every commit of data. `manifests` leads to those of the other tables.
         */
        get: operations["getLakeManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lake/intraday/manifest.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the intraday archive holds
         * @description Every date with its quotes, size, digest and range of observations. Apart from the other manifests because it changes every few minutes.
         */
        get: operations["getIntradayManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lake/official/manifest.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the lake holds of official publications
         * @description Every official table with its rows, size, digest and range of validity.
         */
        get: operations["getOfficialManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lake/daily/{source}/{year}/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The figures of a source and year
         * @description Every current figure exactly once, ordered by date, base and quote. The file under this name never changes: what was read of it by ranges belongs together. One that was replaced stays for a day at the least.
         */
        get: operations["getLakeDaily"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lake/current/daily/{source}/{year}/rates.parquet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest figures of a source and year
         * @description Every current figure exactly once, ordered by date, base and quote. The newest file of the partition, replaced as a whole with a commit; its `ETag` is its SHA-256.
         */
        get: operations["getLakeCurrentDaily"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lake/revisions/{source}/{year}/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The corrected and withdrawn figures of a source and year
         * @description Figures that were corrected or withdrawn. There is a file only where there are any. The file under this name never changes: what was read of it by ranges belongs together. One that was replaced stays for a day at the least.
         */
        get: operations["getLakeRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lake/current/revisions/{source}/{year}/revisions.parquet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest corrected and withdrawn figures of a source and year
         * @description Figures that were corrected or withdrawn. There is a file only where there are any. The newest file of the partition, replaced as a whole with a commit; its `ETag` is its SHA-256.
         */
        get: operations["getLakeCurrentRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lake/held/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The figures held back
         * @description Figures held back as implausible. There is a file only while there are any. The file under this name never changes: what was read of it by ranges belongs together. One that was replaced stays for a day at the least.
         */
        get: operations["getLakeHeld"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lake/current/held/held.parquet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest figures held back
         * @description Figures held back as implausible. There is a file only while there are any. The newest file of the partition, replaced as a whole with a commit; its `ETag` is its SHA-256.
         */
        get: operations["getLakeCurrentHeld"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lake/intraday/{partition}/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The quotes of a day
         * @description Every accepted live quote observed on a UTC day, as it was delivered, ordered by base, quote, observation, retrieval and feed. The file under this name never changes: what was read of it by ranges belongs together. One that was replaced stays for a day at the least.
         */
        get: operations["getLakeIntraday"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lake/current/intraday/{partition}/quotes.parquet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest quotes of a day
         * @description Every accepted live quote observed on a UTC day, as it was delivered, ordered by base, quote, observation, retrieval and feed. The newest file of the partition, replaced as a whole with a commit; its `ETag` is its SHA-256.
         */
        get: operations["getLakeCurrentIntraday"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lake/official/{partition}/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The publications of an official table
         * @description Every row of every version of every publication. The file under this name never changes: what was read of it by ranges belongs together. One that was replaced stays for a day at the least.
         */
        get: operations["getLakeOfficialFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lake/current/official/{partition}/publications.parquet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest publications of an official table
         * @description Every row of every version of every publication. The newest file of the partition, replaced as a whole with a commit; its `ETag` is its SHA-256.
         */
        get: operations["getLakeCurrentOfficialFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lake/views.sql": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Views for DuckDB
         * @description Views and macros over the lake, on disk or by its address: current figures and all revisions, rates on any base, what was known at an instant, quotes, bars and official publications. Its first lines say how to use it.
         */
        get: operations["getLakeViews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lake/chain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The signed history
         * @description An entry for each commit of each table of the lake, chained by hashes and signed with Ed25519. The canonical form of an entry is its JSON without `signature`, with sorted members and without spaces: its SHA-256 is `previous` of the next entry, and it is what the signature is of.
         */
        get: operations["getLakeChain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/crossrate.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Public keys and newest entry of the signed history
         * @description The keys that sign the history, and its newest entry: what to keep outside.
         */
        get: operations["getWellKnown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lake/proof/{from_ccy}/{to_ccy}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What proves a rate
         * @description The figures of a day's rate, the data files that have them, the list of all files of the version, and the signed entry that has the digest of that list. It is the rate of `/v1/{date}`, digit for digit.
         */
        get: operations["getLakeProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/official": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Official tables
         * @description Tables of rates that authorities publish under their own name: for customs, tax and contracts. Each with its types, its authority and its newest publication. The example shows one of them.
         */
        get: operations["listOfficialTables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/official/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was published and corrected
         * @description The same events as webhooks carry, in the order of their commits; missed ones are read again here. Instants are approximate, because a clock may have been wrong: `resume_cursor` misses nothing. Compare by `id` and `created_at`: `since` is inclusive. A history that is loaded at once makes no events.
         */
        get: operations["listOfficialChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/official/changes.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was published and corrected, as an Atom feed
         * @description The same events for feed readers, spreadsheets and chat tools: the newest first, at most 100. Ids of entries never change. `rel="next"` leads to older ones (RFC 5005). Programs that must miss nothing read `/v1/official/changes`.
         */
        get: operations["getOfficialFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/official/{country}/{type}/publications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Publications of a table
         * @description Newest first, without rates. `from` and `to` go by the first day of validity.
         */
        get: operations["listOfficialPublications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/official/{country}/{type}/publications/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest publication of a table
         * @description The publication of the newest validity, which may lie ahead where an authority publishes ahead; with `valid_on` the one that is valid on a day.
         */
        get: operations["getLatestOfficialPublication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/official/{country}/{type}/publications/{publication_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A publication with its rates
         * @description In its newest version, or with `version` in any other.
         */
        get: operations["getOfficialPublication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/official/{country}/{type}/convert/{from_ccy}/{to_ccy}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Convert by an official table
         * @description Converts by the publication of a day, for tax, customs and contracts: directly, or across the one currency that two rates of the table share. The answer has the rates as printed and a line to cite. The example is of the FIX.
         */
        get: operations["convertOfficially"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/official/{country}/{type}/convert/{from_ccy}/{to_ccy}/{amount}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Convert the amount in the path by an official table
         * @description The same as without `{amount}`, with the amount in the path.
         */
        get: operations["convertAmountOfficially"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/official/{country}/{type}/rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rates of a table over a time
         * @description A row for each rate of each publication that begins from `start_date` to `end_date`, and of the one that is valid on `start_date`: as printed, with its validity and a line to cite. `limit` counts publications; a page ends early at some 5,000 rows. CSV and Parquet are one file with the whole window, of at most 50000 rows.
         */
        get: operations["listOfficialRates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/official/{country}/{type}/in-force": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The table of a day
         * @description Every rate that is in force on a day, each with its publication, validity and a line to cite. Without a publication of the day the answer is 404 and names the one before.
         */
        get: operations["getOfficialRatesInForce"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/currencies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Currencies
         * @description Every currency with its names, sources and days of data.
         */
        get: operations["listCurrencies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/provision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the organization and its key
         * @description Makes the caller's organization if it does not exist, and its first key if it has none that is current. When both exist nothing is made and the key is shown again: repeat it as you like.
         */
        post: operations["provisionAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The account, its key and its usage
         * @description The organization, the current key in full, and what is used of the month.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        /**
         * Delete the account
         * @description Cancels the subscription at once where there is one, then deletes, in one transaction, daily usage, monthly usage, keys, webhook deliveries, webhook endpoints and the organization, and ends all sessions. The identity stays: it can sign in and provision again, and goes on with what it has used of the running windows and of the month. When the subscription cannot be cancelled nothing is deleted. Repeating it is safe.
         */
        delete: operations["deleteAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/usage/daily": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Usage a day
         * @description Requests served and requests refused by a limit, for each of the last days in UTC.
         */
        get: operations["getDailyUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the key
         * @description Issues a new key. The one before it works for exactly 24 hours more; one that an earlier rotation replaced ends at once: at most two work. Where no key works, a new one is issued all the same. Each call issues another key: if the answer was lost, do not repeat it but see `GET /v1/account` for the current one.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke the key
         * @description Ends every key of the organization at once, one in its 24 hours after a rotation too; replicas follow within 5 seconds. Repeating it changes nothing. Provisioning or rotating issues a new key.
         */
        delete: operations["revokeKeys"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a policy
         * @description Records that the caller accepts a version of the policy. The first acceptance counts: repeating it returns its time. It outlives the deletion of the account.
         */
        post: operations["acceptPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Buy or manage a plan
         * @description Opens a page of the payment provider for the organization of the API key (or of the person who is signed in). Without a running subscription the page sells the plan; with one it is the portal, whatever was asked for: no one pays twice. Nothing is bought by the call itself: the plan holds once it is paid, usually seconds later. The same call within an hour opens the same page.
         */
        post: operations["startCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/stripe/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Events of the payment provider
         * @description For Stripe alone: set it as the address of a webhook endpoint. The signature is checked over the body as received, at most 256 KiB, against every signing secret, within 300 seconds. Each event is taken once; what it is about is read from Stripe again, so order and repetition do not matter. A 503 asks for the event again. Not metered, and not for browsers.
         */
        post: operations["receiveStripeEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open an account
         * @description Opens an account with an e-mail address and a password. Where the server can send mail, it answers 202 whether or not the address has an account already: the rest is in the mailbox, and signing in works once the address is confirmed. Where it cannot, it answers 201 with a session, or `conflict` for an address that has an account.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description Starts a session of 30 days. The token is in the answer, for command lines, and in a cookie, for browsers. A session that the request came with ends. A wrong password and an unknown address are one refusal; attempts are limited per address and per account.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the session of this request at once, and clears the cookie.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who is signed in
         * @description The person behind the session. The organization and its key are at `/v1/account`.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One's own sessions
         * @description Every session of the person that is alive, and where it was begun.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End all other sessions
         * @description Ends every session of the person but the one of this request.
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one session
         * @description Ends one of one's own sessions at once; to end this one is signing out.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password
         * @description Sets a new password and ends every other session.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a link to set a new password
         * @description Mails a link that works once within an hour. The answer is the same whether or not the address has an account. Where the server sends no mail, its operator makes such links on the command line.
         */
        post: operations["askPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password-reset/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with a link
         * @description Sets the password and ends every session of the account. Its API key goes on working. The link works once; a newer one takes its place. `validation_error` at `/token` says that it no longer works.
         */
        post: operations["confirmPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an e-mail address with a link
         * @description Confirms the address that the link was mailed to. The account's password is needed, too: a person who opened an account with another's address must not get in when the owner opens the link. The link works once within a day; a newer one takes its place.
         */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/verify-email/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for another link to confirm an address
         * @description Mails a link if the address has an account and is not confirmed yet. The answer is the same for every address.
         */
        post: operations["askEmailVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/oidc/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign in at the identity provider
         * @description Sends the browser to the identity provider (OpenID Connect, authorization code with PKCE). `not_found` where none is configured. Answers no `HEAD`.
         */
        get: operations["startExternalSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Back from the identity provider
         * @description Where the provider sends the browser to. Starts a session for the person that the provider vouches for, found by issuer and subject, never by e-mail address. Only in the browser that began, and once. Answers no `HEAD`.
         */
        get: operations["finishExternalSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Liveness
         * @description Answers as long as the process runs; checks nothing else. Public and never limited.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readiness
         * @description Whether the stores can be read, how old the data is, and which figures are held back. Public and never limited.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This description
         * @description The description of this interface as OpenAPI 3.1.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Documentation pages
         * @description The guides as pages for people; the reference is at `/docs/reference`, the search at `/search`.
         */
        get: operations["getDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description What was deleted. */
        AccountDeletedResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description True when this call deleted the organization; false when there was none.
             * @example true
             */
            deleted: boolean;
            /**
             * @description Id of the organization that was deleted; null when there was none.
             * @example org_5Vn0Ck2pQx8RtYb3LwEh
             */
            org_id: string | null;
            /**
             * @description Whether a subscription was ended, at once and without refund.
             * @example true
             */
            subscription_cancelled: boolean;
        };
        /** @description The organization. */
        AccountOrg: {
            /**
             * @description Id of the organization.
             * @example org_5Vn0Ck2pQx8RtYb3LwEh
             */
            id: string;
            /**
             * @description The plan with the limits of now. It is `free` once a paid one is overdue or over.
             * @example basic
             * @enum {string}
             */
            tier: "free" | "basic" | "plus" | "pro";
            /**
             * @description `active`; `past_due` while a payment is missing (the plan is kept for 7 days); `canceled` once a paid plan has ended; `suspended` by the operator: keys do not work.
             * @enum {string}
             */
            status: "active" | "past_due" | "suspended" | "canceled";
        };
        /** @description The caller's account. */
        AccountResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description E-mail address of the person; null where it is not known.
             * @example ada@example.com
             */
            email: string | null;
            /** @description The organization; null before provisioning. */
            org: components["schemas"]["AccountOrg"] | null;
            /** @description The current key, in full; null before provisioning and after revoking. */
            key: components["schemas"]["KeySummary"] | null;
            /** @description What is used of the month; null before provisioning. */
            usage: components["schemas"]["AccountUsage"] | null;
        };
        /** @description What is used of the month. */
        AccountUsage: {
            /**
             * Format: int64
             * @description Counted calls since the 1st, UTC: a batch counts one a pair.
             * @example 1234
             */
            calls_this_month: number;
            /**
             * Format: int64
             * @description Calls that the plan allows in a calendar month.
             * @example 100000
             */
            limit: number;
            /**
             * Format: date
             * @description The 1st of the next month: the count begins again at 00:00 UTC.
             * @example 2026-05-01
             */
            resets_on: string;
        };
        /** @description The current key, in full. */
        ApiKeyCreatedResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description True when this call issued the key; false when it is only shown again.
             * @example true
             */
            created: boolean;
            /**
             * @description Id of the organization.
             * @example org_5Vn0Ck2pQx8RtYb3LwEh
             */
            org_id: string;
            /**
             * @description The whole key. Null when it cannot be decrypted on this server at present: it still works, and rotating gives one that can be shown.
             * @example fxk_Example0Example0Example0Example0000000
             */
            plaintext: string | null;
            key: components["schemas"]["KeySummary"];
        };
        /** @description The mean of one rate over a period. */
        Average: {
            /**
             * Format: double
             * @description Arithmetic mean of the printed rates, exact, half-even to 10 significant digits.
             * @example 1.082380469
             */
            average: number;
            /**
             * Format: int64
             * @description Days that are in the mean.
             * @example 256
             */
            days: number;
            /**
             * Format: double
             * @description Rate of the first of them.
             * @example 1.0956
             */
            first: number;
            /**
             * Format: date
             * @description Its day.
             * @example 2024-01-02
             */
            first_date: string;
            /**
             * Format: double
             * @description Rate of the last of them.
             * @example 1.0389
             */
            last: number;
            /**
             * Format: date
             * @description Its day.
             * @example 2024-12-31
             */
            last_date: string;
            /**
             * Format: double
             * @description Smallest rate.
             * @example 1.0389
             */
            low: number;
            /**
             * Format: date
             * @description Its first day.
             * @example 2024-12-31
             */
            low_date: string;
            /**
             * Format: double
             * @description Largest rate.
             * @example 1.1196
             */
            high: number;
            /**
             * Format: date
             * @description Its first day.
             * @example 2024-09-30
             */
            high_date: string;
        };
        /** @description Means of rates of one base over a period. */
        AverageResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description Currency that the rates are for 1 unit of.
             * @example EUR
             */
            base: components["schemas"]["CurrencyCode"];
            /**
             * Format: date
             * @description First day of the period, UTC.
             * @example 2024-01-01
             */
            start_date: string;
            /**
             * Format: date
             * @description Last day of the period, UTC; today while the period lasts.
             * @example 2024-12-31
             */
            end_date: string;
            /**
             * @description `published`: the mean of the days with figures of their own. `calendar`: of all days; a day without figures has the rate in force, at most 14 days old.
             * @example published
             * @enum {string}
             */
            method: "published" | "calendar";
            /**
             * @description False while a mean will change: for a `period` that has not ended, and until the last days of every currency are published (those of H.10 come on the Monday after; one may be held). True does not say that a currency has figures in the whole window: `days`, `first_date` and `last_date` do, and `notice` names a time without.
             * @example true
             */
            is_complete: boolean;
            /**
             * Format: date-time
             * @description With `as_of`: the instant that limits what the answer knows.
             * @example 2026-04-13T16:00:00Z
             */
            as_of?: string;
            /**
             * @description With `as_of`: how knowledge is dated. `published`: what the world could know, by the publication instant where the authority states one, by the publication schedule for the first value of a day, by retrieval for a correction. `retrieved`: what this very server held.
             * @example published
             * @enum {string}
             */
            as_of_basis?: "published" | "retrieved";
            /**
             * @description With `as_of`: true when a contributing figure came to this server only after that instant, so a value that the authority had replaced in between is not known.
             * @example false
             */
            as_of_reconstructed?: boolean;
            /**
             * @description The least fresh contributing source: that of the oldest observation.
             * @example ecb_daily
             */
            source: components["schemas"]["Source"];
            /**
             * @description Source of each currency's first figure; `notice` says where another takes over.
             * @example {
             *       "USD": "ecb_daily",
             *       "EUR": "ecb_daily",
             *       "GBP": "ecb_daily"
             *     }
             */
            sources: {
                [key: string]: components["schemas"]["Source"];
            };
            /**
             * @description Only in the demo: the currencies whose rate rests on a simulated figure. Absent where there is none: a rate that is not named is real.
             * @example {
             *       "TWD": true
             *     }
             */
            simulated?: {
                [key: string]: boolean;
            };
            /** @example open */
            market_session: components["schemas"]["MarketSession"];
            /**
             * Format: date-time
             * @description When the answer was served, UTC, to the second.
             * @example 2026-04-13T16:30:00Z
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description Time of the oldest contributing observation, UTC.
             * @example 2026-04-13T12:15:00Z
             */
            data_updated_at: string;
            /**
             * @description Observation time of each currency's last figure, UTC.
             * @example {
             *       "USD": "2026-04-13T12:15:00Z",
             *       "EUR": "2026-04-13T12:15:00Z",
             *       "GBP": "2026-04-13T12:15:00Z"
             *     }
             */
            effective_at: {
                [key: string]: string;
            };
            /**
             * @description By currency.
             * @example {
             *       "USD": {
             *         "average": 1.082380469,
             *         "days": 256,
             *         "first": 1.0956,
             *         "first_date": "2024-01-02",
             *         "last": 1.0389,
             *         "last_date": "2024-12-31",
             *         "low": 1.0389,
             *         "low_date": "2024-12-31",
             *         "high": 1.1196,
             *         "high_date": "2024-09-30"
             *       }
             *     }
             */
            rates: {
                [key: string]: components["schemas"]["Average"];
            };
            /**
             * @description Currencies requested that have no value here, those of the catalog where all were; absent where there is none.
             * @example [
             *       "ISK"
             *     ]
             */
            missing_symbols?: components["schemas"]["CurrencyCode"][];
            /**
             * @description Currencies with a rate that is triangulated through a third currency. An inverse is not triangulated.
             * @example [
             *       "GBP"
             *     ]
             */
            derived_symbols: components["schemas"]["CurrencyCode"][];
            /**
             * @description Reminder that rates are indicative and not for settlement. It starts with SIMULATED where a rate is simulated, and says which.
             * @example Indicative mid rates for information only; not for settlement, trading or use as a source of record. Daily reference rates: published once a day, not live.
             */
            notice: string;
        };
        /** @description The quotes of one symbol in one interval of time. */
        Bar: {
            /**
             * Format: double
             * @description First mid of the bar.
             * @example 0.85581
             */
            open: number;
            /**
             * Format: double
             * @description Highest mid.
             * @example 0.85602
             */
            high: number;
            /**
             * Format: double
             * @description Lowest mid.
             * @example 0.85577
             */
            low: number;
            /**
             * Format: double
             * @description Last mid.
             * @example 0.85596
             */
            close: number;
            /**
             * Format: double
             * @description Arithmetic mean of the mids.
             * @example 0.8559
             */
            mean: number;
            /**
             * Format: int64
             * @description How many quotes there are in the bar.
             * @example 5
             */
            ticks: number;
        };
        /** @description What became of the event. */
        BillingEventResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description `applied`: the subscriptions of its customer were read again, and the plan follows. `ignored`: it is about no plan of an organization here. `duplicate`: it was dealt with before.
             * @enum {string}
             */
            outcome: "applied" | "ignored" | "duplicate";
        };
        /** @description Envelope where the body can be of another shape: `errors` comes with `validation_error`. */
        BodyRefusal: {
            /**
             * @description `error` on every refusal.
             * @example error
             * @constant
             */
            result: "error";
            code: components["schemas"]["ErrorCode"];
            /**
             * @description What went wrong and what to do about it, for people. The text may change.
             * @example unsupported base: XYZ
             */
            message: string;
            /**
             * @description Every member of the body, or parameter, that does not have the documented shape.
             * @example [
             *       {
             *         "path": "/from",
             *         "message": "is missing"
             *       }
             *     ]
             */
            errors?: components["schemas"]["ValidationIssue"][];
        };
        /** @description The first entry. */
        ChainBegin: {
            /**
             * @description What the entry is.
             * @example begin
             * @enum {string}
             */
            kind: "begin";
            /**
             * Format: int64
             * @description 0 for the first entry, then one more each.
             * @example 4127
             */
            sequence: number;
            /**
             * @description SHA-256 of the canonical form of the entry before; zeros in the first one.
             * @example e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0
             */
            previous: string;
            /**
             * Format: date-time
             * @description When it was made, UTC; of a commit the instant in its log entry.
             * @example 2026-04-13T14:05:00.000Z
             */
            at: string;
            /**
             * @description Id of the key that signs it.
             * @example 21fe31dfa154a261
             */
            key: string;
            /**
             * @description Ed25519 signature of the canonical form without it, in base64.
             * @example AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==
             */
            signature: string;
            /**
             * @description Form of the entries.
             * @example crossrate-chain/1
             * @enum {string}
             */
            format: "crossrate-chain/1";
            /**
             * Format: uuid
             * @description Random name of the history.
             * @example 0d9e2f0e-6a4b-4f0e-9b0e-3f1c2a5b7d10
             */
            chain: string;
            /**
             * @description `simulated` in the demo.
             * @example real
             * @enum {string}
             */
            mode: "real" | "simulated";
            /**
             * @description The 32 bytes of the key in base64.
             * @example 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
             */
            public_key: string;
        };
        /** @description A version of a table. */
        ChainCommit: {
            /**
             * @description What the entry is.
             * @example commit
             * @enum {string}
             */
            kind: "commit";
            /**
             * Format: int64
             * @description 0 for the first entry, then one more each.
             * @example 4127
             */
            sequence: number;
            /**
             * @description SHA-256 of the canonical form of the entry before; zeros in the first one.
             * @example e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0
             */
            previous: string;
            /**
             * Format: date-time
             * @description When it was made, UTC; of a commit the instant in its log entry.
             * @example 2026-04-13T14:05:00.000Z
             */
            at: string;
            /**
             * @description Id of the key that signs it.
             * @example 21fe31dfa154a261
             */
            key: string;
            /**
             * @description Ed25519 signature of the canonical form without it, in base64.
             * @example AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==
             */
            signature: string;
            /**
             * @description Name of the table.
             * @example daily
             */
            table: string;
            /**
             * Format: int64
             * @description Version of the table.
             * @example 412
             */
            version: number;
            /**
             * @description SHA-256 of the commit's file in `_delta_log`.
             * @example 9a0d9a0d9a0d9a0d9a0d9a0d9a0d9a0d9a0d9a0d9a0d9a0d9a0d9a0d9a0d9a0d
             */
            sha256: string;
            /**
             * @description SHA-256 of the list of all data files of this version: a line each, its SHA-256, two spaces and its path below the table's folder, by path.
             * @example 5b3e5b3e5b3e5b3e5b3e5b3e5b3e5b3e5b3e5b3e5b3e5b3e5b3e5b3e5b3e5b3e
             */
            files: string;
            /** @description Of `daily`: the versions of the other tables that belong to this one. */
            with?: {
                /**
                 * Format: int64
                 * @description Version of `revisions`.
                 * @example 3
                 */
                revisions: number;
                /**
                 * Format: int64
                 * @description Version of `held`.
                 * @example 3
                 */
                held: number;
                /**
                 * Format: int64
                 * @description Version of `statements`.
                 * @example 3
                 */
                statements?: number;
            };
        };
        /** @description An entry of the signed history. `kind` says which. */
        ChainEntry: components["schemas"]["ChainCommit"] | components["schemas"]["ChainBegin"] | components["schemas"]["ChainKeyChange"] | components["schemas"]["ChainResume"];
        /** @description The newest entry: kept outside, it finds any rewriting. */
        ChainHead: {
            /**
             * Format: uuid
             * @description Random name of the history.
             * @example 0d9e2f0e-6a4b-4f0e-9b0e-3f1c2a5b7d10
             */
            chain: string;
            /**
             * Format: int64
             * @description Its sequence.
             * @example 4127
             */
            sequence: number;
            /**
             * @description SHA-256 of its canonical form.
             * @example 8c1f8c1f8c1f8c1f8c1f8c1f8c1f8c1f8c1f8c1f8c1f8c1f8c1f8c1f8c1f8c1f
             */
            hash: string;
            /**
             * Format: date-time
             * @description When it was made, UTC.
             * @example 2026-04-13T14:05:00.000Z
             */
            at: string;
            /**
             * @description Id of the key that signs it.
             * @example 21fe31dfa154a261
             */
            key: string;
            /**
             * @description Ed25519 signature of the canonical form without it, in base64.
             * @example AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==
             */
            signature: string;
        };
        /** @description A key that signs entries, or has signed them. */
        ChainKey: {
            /**
             * @description Its id: the first 16 hex digits of the SHA-256 of the 32 bytes.
             * @example 21fe31dfa154a261
             */
            key: string;
            /**
             * @description The 32 bytes of the Ed25519 key in base64.
             * @example 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
             */
            public_key: string;
            /**
             * Format: int64
             * @description The entry that names it.
             * @example 0
             */
            sequence: number;
        };
        /** @description A new key, signed with the one before it. */
        ChainKeyChange: {
            /**
             * @description What the entry is.
             * @example key
             * @enum {string}
             */
            kind: "key";
            /**
             * Format: int64
             * @description 0 for the first entry, then one more each.
             * @example 4127
             */
            sequence: number;
            /**
             * @description SHA-256 of the canonical form of the entry before; zeros in the first one.
             * @example e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0
             */
            previous: string;
            /**
             * Format: date-time
             * @description When it was made, UTC; of a commit the instant in its log entry.
             * @example 2026-04-13T14:05:00.000Z
             */
            at: string;
            /**
             * @description Id of the key that signs it.
             * @example 21fe31dfa154a261
             */
            key: string;
            /**
             * @description Ed25519 signature of the canonical form without it, in base64.
             * @example AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==
             */
            signature: string;
            /**
             * @description Id of the key that signs the entries after this one.
             * @example 21fe31dfa154a261
             */
            new_key: string;
            /**
             * @description The 32 bytes of the key in base64.
             * @example 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
             */
            public_key: string;
        };
        /** @description A part of the signed history. */
        ChainPage: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /** @description By ascending sequence, without a gap. */
            entries: components["schemas"]["ChainEntry"][];
            /**
             * Format: int64
             * @description `from` of the next part; null where this one has the newest entry.
             * @example null
             */
            next_from: number | null;
            head: components["schemas"]["ChainHead"];
        };
        /** @description After a repair: what was signed after `version` is void. */
        ChainResume: {
            /**
             * @description What the entry is.
             * @example resume
             * @enum {string}
             */
            kind: "resume";
            /**
             * Format: int64
             * @description 0 for the first entry, then one more each.
             * @example 4127
             */
            sequence: number;
            /**
             * @description SHA-256 of the canonical form of the entry before; zeros in the first one.
             * @example e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0e3b0
             */
            previous: string;
            /**
             * Format: date-time
             * @description When it was made, UTC; of a commit the instant in its log entry.
             * @example 2026-04-13T14:05:00.000Z
             */
            at: string;
            /**
             * @description Id of the key that signs it.
             * @example 21fe31dfa154a261
             */
            key: string;
            /**
             * @description Ed25519 signature of the canonical form without it, in base64.
             * @example AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==
             */
            signature: string;
            /**
             * @description Name of the table.
             * @example daily
             */
            table: string;
            /**
             * Format: int64
             * @description The last version that is left; -1 where no version is left.
             * @example 411
             */
            version: number;
        };
        /** @description What is to be bought. */
        CheckoutRequest: {
            /**
             * @description The plan to buy.
             * @example pro
             * @enum {string}
             */
            plan: "basic" | "pro";
            /**
             * @description How often it is paid; `yearly` only where the operator sells that.
             * @default monthly
             * @example monthly
             * @enum {string}
             */
            interval: "monthly" | "yearly";
        };
        /** @description Where to go. */
        CheckoutResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description What the page is for: `checkout` buys the plan; `manage_subscription` is the portal, where one that is running is changed or cancelled.
             * @example checkout
             * @enum {string}
             */
            action: "checkout" | "manage_subscription";
            /**
             * Format: uri
             * @description Page of the payment provider, to be opened in a browser.
             * @example https://checkout.stripe.com/c/pay/cs_test_a1b2c3
             */
            url: string;
            /**
             * Format: date-time
             * @description Until when the page works, UTC; null: not stated.
             * @example 2026-04-14T16:30:00Z
             */
            expires_at: string | null;
        };
        /** @description What is accepted. */
        ConsentRequest: {
            /**
             * @description Version of the policy as it names itself: 1 to 64 printable ASCII characters.
             * @example 2026-01
             */
            policy_version: string;
        };
        /** @description What was accepted, and when. */
        ConsentResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description Version of the policy as it names itself: 1 to 64 printable ASCII characters.
             * @example 2026-01
             */
            policy_version: string;
            /**
             * Format: date-time
             * @description When this version was accepted first, UTC.
             * @example 2026-04-13T16:30:00Z
             */
            accepted_at: string;
        };
        /** @description Figures that routes of a source state differently from what is served, or no longer have, and that nothing has settled yet. */
        Contradictions: {
            /**
             * Format: int64
             * @description How many figures of how many routes.
             * @example 2
             */
            count: number;
            /**
             * Format: date-time
             * @description When the oldest of them was first read, UTC.
             * @example 2026-04-13T14:05:00Z
             */
            since: string;
            /**
             * @description The newest of them.
             * @example ecb_csv states EUR/NOK 11.8529 for 2026-04-13; 11.8301 is served
             */
            example: string;
        };
        /** @description Amounts of one currency to convert into others. */
        ConvertBatchRequest: {
            /**
             * @description Currency of the amounts, in upper or in lower case.
             * @example USD
             */
            from: string;
            /**
             * @description 1 to 100 pairs (the operator can set another limit) of target currency and amount in units of `from`.
             * @example [
             *       [
             *         "EUR",
             *         100
             *       ],
             *       [
             *         "GBP",
             *         "49.90"
             *       ]
             *     ]
             */
            pairs: [
                string,
                number | string
            ][];
        };
        /** @description Amounts, all from the same data. */
        ConvertBatchResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description Currency of every `amount`.
             * @example USD
             */
            from: components["schemas"]["CurrencyCode"];
            /** @description One item a pair, in the order of the request, without those with a target in `missing_symbols`. */
            conversions: components["schemas"]["ConvertItem"][];
            /**
             * @description The least fresh contributing source: that of the oldest observation.
             * @example ecb_daily
             */
            source: components["schemas"]["Source"];
            /**
             * @description Source of each returned currency's own figure; the base is listed too when its own observation contributes.
             * @example {
             *       "USD": "ecb_daily",
             *       "JPY": "ecb_daily"
             *     }
             */
            sources: {
                [key: string]: components["schemas"]["Source"];
            };
            /**
             * @description Only in the demo: the currencies whose rate rests on a simulated figure. Absent where there is none: a rate that is not named is real.
             * @example {
             *       "TWD": true
             *     }
             */
            simulated?: {
                [key: string]: boolean;
            };
            /** @example open */
            market_session: components["schemas"]["MarketSession"];
            /**
             * Format: date-time
             * @description When the answer was served, UTC, to the second.
             * @example 2026-04-13T16:30:00Z
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description Time of the oldest contributing observation, UTC.
             * @example 2026-04-13T12:15:00Z
             */
            data_updated_at: string;
            /**
             * @description Observation time of each currency, UTC; the base's is that of the oldest of its figures.
             * @example {
             *       "USD": "2026-04-13T12:15:00Z",
             *       "JPY": "2026-04-13T12:15:00Z"
             *     }
             */
            effective_at: {
                [key: string]: string;
            };
            /**
             * @description Currencies requested that have no value here, those of the catalog where all were; absent where there is none.
             * @example [
             *       "ISK"
             *     ]
             */
            missing_symbols?: components["schemas"]["CurrencyCode"][];
            /**
             * @description True for a currency with a rate outside its source's freshness window: a newer publication was due and has not been seen.
             * @example {
             *       "JPY": false
             *     }
             */
            stale: {
                [key: string]: boolean;
            };
            /**
             * @description Reminder that rates are indicative and not for settlement. It starts with SIMULATED where a rate is simulated, and says which.
             * @example Indicative mid rates for information only; not for settlement, trading or use as a source of record. Daily reference rates: published once a day, not live.
             */
            notice: string;
        };
        /** @description Amounts that each have a day of their own. */
        ConvertDatedRequest: {
            /**
             * @description 1 to 1,000 items.
             * @example [
             *       {
             *         "from": "USD",
             *         "to": "EUR",
             *         "amount": "49.90",
             *         "date": "2026-04-10"
             *       }
             *     ]
             */
            items: components["schemas"]["DatedItem"][];
        };
        /** @description The converted amounts. */
        ConvertDatedResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /** @description One for each item, in the order of the request. */
            conversions: components["schemas"]["DatedConversion"][];
            /**
             * Format: date-time
             * @description With `as_of`: the instant that limits what the answer knows.
             * @example 2026-04-13T16:00:00Z
             */
            as_of?: string;
            /**
             * @description With `as_of`: how knowledge is dated. `published`: what the world could know, by the publication instant where the authority states one, by the publication schedule for the first value of a day, by retrieval for a correction. `retrieved`: what this very server held.
             * @example published
             * @enum {string}
             */
            as_of_basis?: "published" | "retrieved";
            /**
             * @description With `as_of`: true when a contributing figure came to this server only after that instant, so a value that the authority had replaced in between is not known.
             * @example false
             */
            as_of_reconstructed?: boolean;
            /** @example open */
            market_session: components["schemas"]["MarketSession"];
            /**
             * Format: date-time
             * @description When the answer was served, UTC, to the second.
             * @example 2026-04-13T16:30:00Z
             */
            timestamp: string;
            /**
             * @description Reminder that rates are indicative and not for settlement. It starts with SIMULATED where a rate is simulated, and says which.
             * @example Indicative mid rates for information only; not for settlement, trading or use as a source of record. Daily reference rates: published once a day, not live.
             */
            notice: string;
        };
        /** @description One converted pair of a batch. */
        ConvertItem: {
            /**
             * @description Currency of `converted`.
             * @example JPY
             */
            to: components["schemas"]["CurrencyCode"];
            /**
             * Format: double
             * @description Amount that was converted, in units of `from`.
             * @example 250
             */
            amount: number;
            /**
             * Format: double
             * @description Units of the target currency per 1 unit of the base. A direct rate is printed as published; an inverse or a cross is exact arithmetic on the published figures, rounded half-even to 10 significant digits.
             * @example 157.6942828
             */
            rate: number;
            /**
             * Format: double
             * @description `rate` × `amount`, exactly, in units of `to`, with at most 15 significant digits; never rounded to minor units.
             * @example 39423.5707
             */
            converted: number;
            /**
             * @description True when the rate is triangulated through a third currency. An inverse is not.
             * @example true
             */
            derived: boolean;
            /**
             * Format: double
             * @description Ceiling of the error that the rounding of the legs can add, in basis points of the rate, rounded up to 0.01; each leg counts as rounded to its last digit that is not zero. Null when the rate is not triangulated, and when its legs differ in source or observation time; use `derived` to detect triangulation.
             * @example 0.7
             */
            derivation_bps_max: number | null;
        };
        /** @description One amount in another currency. */
        ConvertResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description Currency of `amount`.
             * @example USD
             */
            from: components["schemas"]["CurrencyCode"];
            /**
             * @description Currency of `converted`.
             * @example JPY
             */
            to: components["schemas"]["CurrencyCode"];
            /**
             * Format: date
             * @description The day requested; only when one was.
             * @example 2026-04-13
             */
            date?: string;
            /**
             * @description True when a contributing figure is of an earlier day than `date`; only when a day was requested.
             * @example false
             */
            is_forward_filled?: boolean;
            /**
             * Format: double
             * @description Amount that was converted, in units of `from`.
             * @example 250
             */
            amount: number;
            /**
             * Format: double
             * @description Units of the target currency per 1 unit of the base. A direct rate is printed as published; an inverse or a cross is exact arithmetic on the published figures, rounded half-even to 10 significant digits.
             * @example 157.6942828
             */
            rate: number;
            /**
             * Format: double
             * @description `rate` × `amount`, exactly, in units of `to`, with at most 15 significant digits; never rounded to minor units.
             * @example 39423.5707
             */
            converted: number;
            /**
             * @description True when the rate is triangulated through a third currency. An inverse is not.
             * @example true
             */
            derived: boolean;
            /**
             * Format: double
             * @description Ceiling of the error that the rounding of the legs can add, in basis points of the rate, rounded up to 0.01; each leg counts as rounded to its last digit that is not zero. Null when the rate is not triangulated, and when its legs differ in source or observation time; use `derived` to detect triangulation.
             * @example 0.7
             */
            derivation_bps_max: number | null;
            /**
             * @description The least fresh contributing source: that of the oldest observation.
             * @example ecb_daily
             */
            source: components["schemas"]["Source"];
            /**
             * @description Source of each returned currency's own figure; the base is listed too when its own observation contributes.
             * @example {
             *       "USD": "ecb_daily",
             *       "JPY": "ecb_daily"
             *     }
             */
            sources: {
                [key: string]: components["schemas"]["Source"];
            };
            /**
             * @description Only in the demo: the currencies whose rate rests on a simulated figure. Absent where there is none: a rate that is not named is real.
             * @example {
             *       "TWD": true
             *     }
             */
            simulated?: {
                [key: string]: boolean;
            };
            /**
             * @description True when the rate is outside its source's freshness window: a newer publication was due and has not been seen.
             * @example false
             */
            stale: boolean;
            /** @example open */
            market_session: components["schemas"]["MarketSession"];
            /**
             * Format: date-time
             * @description When the answer was served, UTC, to the second.
             * @example 2026-04-13T16:30:00Z
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description Time of the oldest contributing observation, UTC.
             * @example 2026-04-13T12:15:00Z
             */
            data_updated_at: string;
            /**
             * @description Observation time of each currency, UTC; the base's is that of the oldest of its figures.
             * @example {
             *       "USD": "2026-04-13T12:15:00Z",
             *       "JPY": "2026-04-13T12:15:00Z"
             *     }
             */
            effective_at: {
                [key: string]: string;
            };
            /**
             * @description Reminder that rates are indicative and not for settlement. It starts with SIMULATED where a rate is simulated, and says which.
             * @example Indicative mid rates for information only; not for settlement, trading or use as a source of record. Daily reference rates: published once a day, not live.
             */
            notice: string;
        };
        /** @description The catalog. */
        CurrenciesResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /** @description The catalog in alphabetical order of code. */
            currencies: components["schemas"]["Currency"][];
            /**
             * Format: int64
             * @description Number of currencies.
             * @example 31
             */
            count: number;
            /**
             * Format: int64
             * @description Number of unordered pairs of them.
             * @example 465
             */
            pairs: number;
        };
        /** @description A currency of the catalog. */
        Currency: {
            /**
             * @description ISO 4217 code.
             * @example EUR
             */
            code: components["schemas"]["CurrencyCode"];
            /**
             * @description English name from ISO 4217.
             * @example Euro
             */
            name: string;
            /**
             * @description Kind of currency.
             * @enum {string}
             */
            type: "fiat";
            /**
             * Format: int64
             * @description Decimals of its daily reference rate; null before any collection.
             * @example 4
             */
            decimals: number | null;
            /**
             * Format: int64
             * @description Decimals of an amount of it, from ISO 4217.
             * @example 2
             */
            minor_units: number;
            /**
             * @description True when its rate from USD is triangulated through a third currency.
             * @example false
             */
            derived: boolean;
            /**
             * @description True when its latest rate is a live one now.
             * @example false
             */
            live: boolean;
            /**
             * @description What it can come from, the preferred one first: `live` where it is live now, then daily sources.
             * @example [
             *       "ecb_daily"
             *     ]
             */
            sources: components["schemas"]["Source"][];
            /**
             * Format: date
             * @description First day with a rate on USD; null before any collection.
             * @example 1999-01-04
             */
            history_start: string | null;
            /**
             * Format: date
             * @description Last date with a figure of it; null before any collection.
             * @example 2026-04-13
             */
            last_date: string | null;
        };
        /** @description A currency that the newest figures of a source lack. */
        CurrencyBehind: {
            currency: components["schemas"]["CurrencyCode"];
            /**
             * Format: date
             * @description Day of its last figure of the source.
             * @example 2026-04-10
             */
            last_date: string;
        };
        /**
         * @description ISO 4217 code of a currency of the catalog, upper case.
         * @enum {string}
         */
        CurrencyCode: "AUD" | "BRL" | "CAD" | "CHF" | "CNY" | "CZK" | "DKK" | "EUR" | "GBP" | "HKD" | "HUF" | "IDR" | "ILS" | "INR" | "ISK" | "JPY" | "KRW" | "MXN" | "MYR" | "NOK" | "NZD" | "PHP" | "PLN" | "RON" | "SEK" | "SGD" | "THB" | "TRY" | "TWD" | "USD" | "ZAR";
        /** @description Collection of one daily source. */
        DailyCheck: {
            /**
             * @description The first that applies: `missing`: nothing was ever collected. `stale`: a newer publication was due. `failing`: the last attempt to collect failed. `contradicted`: a route states something else than what is served; see `contradictions`.
             * @enum {string}
             */
            status: "ok" | "contradicted" | "stale" | "failing" | "missing";
            /**
             * Format: date
             * @description Newest day with a figure.
             * @example 2026-04-13
             */
            newest_date: string | null;
            /**
             * Format: date
             * @description Last day that the source's documents cover.
             * @example 2026-04-13
             */
            covered_through: string | null;
            /**
             * Format: date-time
             * @description Last attempt to collect, UTC.
             * @example 2026-04-13T16:05:00Z
             */
            last_attempt_at: string | null;
            /**
             * Format: date-time
             * @description Last one that read an intact document, UTC.
             * @example 2026-04-13T16:05:00Z
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description Last read of the whole history, where known.
             * @example 2026-04-12T03:26:00Z
             */
            whole_read_at: string | null;
            /**
             * Format: date-time
             * @description From when on it is read again, UTC.
             * @example 2026-04-19T08:11:00Z
             */
            whole_read_due_at: string | null;
            /**
             * @description How the last attempt went; `never` before the first one of this process.
             * @example unchanged
             * @enum {string}
             */
            outcome: "never" | "figures" | "unchanged" | "holiday" | "empty" | "failed";
            /**
             * @description Why the last attempt failed or was empty.
             * @example null
             */
            detail: string | null;
            /**
             * Format: int64
             * @description Number of figures held back.
             * @example 0
             */
            held_count: number;
            /**
             * @description The 50 of the newest days, the newest first.
             * @example []
             */
            held: components["schemas"]["HeldFigure"][];
            /**
             * @description What the routes of the source state against each other; null where they agree.
             * @example null
             */
            contradictions: components["schemas"]["Contradictions"] | null;
            /**
             * @description Currencies with no figure of `newest_date`, and a last one of up to 14 days before. A holiday of one series is the usual reason; the status does not change.
             * @example []
             */
            missing_currencies: components["schemas"]["CurrencyBehind"][];
            /**
             * @description Currencies with no figure of the source for more than 14 days before `newest_date`: no latest rate is made of it.
             * @example []
             */
            suspended_currencies: components["schemas"]["CurrencyBehind"][];
        };
        /** @description Requests of the last days, by day. */
        DailyUsageResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * Format: int64
             * @description How many days are shown.
             * @example 3
             */
            days: number;
            /**
             * @description One row a day, oldest first, today last; days without a request are there with zeros.
             * @example [
             *       {
             *         "date": "2026-04-11",
             *         "served": 0,
             *         "rate_limited": 0
             *       },
             *       {
             *         "date": "2026-04-12",
             *         "served": 310,
             *         "rate_limited": 2
             *       },
             *       {
             *         "date": "2026-04-13",
             *         "served": 924,
             *         "rate_limited": 0
             *       }
             *     ]
             */
            rows: components["schemas"]["UsageDay"][];
        };
        /** @description One amount at the rate of its day. */
        DatedConversion: {
            /**
             * @description Currency of `amount`; with a table also one outside the catalog.
             * @example USD
             */
            from: string;
            /**
             * @description Currency of `converted`.
             * @example EUR
             */
            to: string;
            /**
             * Format: double
             * @description Amount that was converted, in units of `from`.
             * @example 49.9
             */
            amount: number;
            /**
             * Format: date
             * @description The day of the item.
             * @example 2026-04-12
             */
            date: string;
            /**
             * Format: double
             * @description Units of the target currency per 1 unit of the base. A direct rate is printed as published; an inverse or a cross is exact arithmetic on the published figures, rounded half-even to 10 significant digits.
             * @example 0.8568980291
             */
            rate: number;
            /**
             * Format: double
             * @description `rate` × `amount`, exactly, in units of `to`, with at most 15 significant digits; never rounded to minor units.
             * @example 42.75921165209
             */
            converted: number;
            /**
             * Format: date
             * @description The day of the figure: of the oldest one behind the rate, or the first day of the validity of the table's publication.
             * @example 2026-04-10
             */
            rate_date: string;
            /**
             * @description `ecb_daily` or `fred_daily`, or the id of the official table.
             * @example ecb_daily
             */
            source: string;
            /**
             * @description True when the rate is triangulated through a third currency. An inverse is not.
             * @example true
             */
            derived: boolean;
            /**
             * @description True when nothing was published on `date` itself, and a figure of at most 14 days before it is used. False with a table, which says on which days it is valid.
             * @example true
             */
            is_filled: boolean;
            /**
             * @description One line with everything that finds the rate again. It begins with SIMULATED where the rate is made up.
             * @example European Central Bank, 2026-04-10, 1 EUR = 1.167 USD, retrieved 2026-04-10T14:31:00Z
             */
            citation: string;
        };
        /** @description One amount and its day. */
        DatedItem: {
            /**
             * @description Currency of the amount, in upper or in lower case.
             * @example USD
             */
            from: string;
            /**
             * @description Currency wanted, in upper or in lower case.
             * @example EUR
             */
            to: string;
            /**
             * @description Amount in units of `from`, as a number or as a decimal string.
             * @example 49.90
             */
            amount: number | string;
            /**
             * @description The day, `YYYY-MM-DD`.
             * @example 2026-04-10
             */
            date: string;
            /**
             * @description An official table by country and type, as in `/v1/official`: its publication in force on the day converts, as the call of one official conversion does. Absent: the daily reference rates.
             * @example mex/fix
             */
            table?: string;
        };
        /** @description The account's address. */
        EmailRequest: {
            /**
             * @description The e-mail address of the account. Compared without regard to case.
             * @example ada@example.com
             */
            email: string;
        };
        /** @description A link's token and the account's password. */
        EmailVerification: {
            /**
             * @description The token of a mailed link: what follows `#token=`. It works once.
             * @example fxo_Example1Example1Example1Example1Example1Example1Example111
             */
            token: string;
            /**
             * @description The password that the account was opened with.
             * @example seven kites above Delft
             */
            password: string;
        };
        /** @description The person with the confirmed address. It does not sign the person in. */
        EmailVerifiedResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            identity: components["schemas"]["Identity"];
        };
        /**
         * @description What went wrong, for programs. One code always has the same status. Codes may be added.
         * @enum {string}
         */
        ErrorCode: "invalid_request" | "unsupported_base" | "bad_date" | "invalid_pair" | "missing_parameter" | "base_conflict" | "invalid_api_key" | "session_required" | "invalid_credentials" | "forbidden" | "plan_gated" | "no_data_for_date" | "not_found" | "method_not_allowed" | "conflict" | "endpoint_limit_reached" | "precondition_failed" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "range_not_satisfiable" | "misdirected_request" | "invalid_amount" | "validation_error" | "rate_limited" | "ip_rate_limited" | "quota_exceeded" | "internal_error" | "billing_not_configured" | "billing_cancellation_failed" | "data_unavailable" | "live_unavailable" | "source_unavailable" | "service_unavailable" | "auth_unavailable" | "quota_unavailable" | "billing_unavailable";
        /** @description Envelope of every refusal. */
        ErrorEnvelope: {
            /**
             * @description `error` on every refusal.
             * @example error
             * @constant
             */
            result: "error";
            code: components["schemas"]["ErrorCode"];
            /**
             * @description What went wrong and what to do about it, for people. The text may change.
             * @example unsupported base: XYZ
             */
            message: string;
        };
        /** @description Where one rate comes from. */
        ExplainResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description The rate is for 1 unit of this currency.
             * @example USD
             */
            from: components["schemas"]["CurrencyCode"];
            /**
             * @description The rate is in units of this currency.
             * @example GBP
             */
            to: components["schemas"]["CurrencyCode"];
            /**
             * Format: date
             * @description The day requested, UTC; null for the latest rate.
             * @example 2026-04-11
             */
            date: string | null;
            /**
             * @description True when a figure is of an earlier day than `date`; null for the latest rate.
             * @example true
             */
            is_forward_filled: boolean | null;
            /**
             * Format: double
             * @description Units of the target currency per 1 unit of the base. A direct rate is printed as published; an inverse or a cross is exact arithmetic on the published figures, rounded half-even to 10 significant digits.
             * @example 157.6942828
             */
            rate: number;
            /**
             * @description True when the rate is triangulated through a third currency. An inverse is not.
             * @example true
             */
            derived: boolean;
            /**
             * Format: double
             * @description Ceiling of the error that the rounding of the legs can add, in basis points of the rate, rounded up to 0.01; each leg counts as rounded to its last digit that is not zero. Null when the rate is not triangulated, and when its legs differ in source or observation time; use `derived` to detect triangulation.
             * @example 0.7
             */
            derivation_bps_max: number | null;
            /**
             * @description The least fresh contributing source: that of the oldest observation.
             * @example ecb_daily
             */
            source: components["schemas"]["Source"];
            /**
             * @description True when the rate is outside its source's freshness window: a newer publication was due and has not been seen.
             * @example false
             */
            stale: boolean;
            /**
             * @description The figures that the rate is made of, in the order of the computation. One is a direct rate or its inverse, more are triangulated; the list is empty for a currency against itself.
             * @example []
             */
            legs: components["schemas"]["ExplainedLeg"][];
            computation: components["schemas"]["RateComputation"];
            /** @description The same rate out of the lake. */
            query: {
                /**
                 * @description What runs it.
                 * @example duckdb
                 * @enum {string}
                 */
                engine: "duckdb";
                /**
                 * @description Returns one row with the column `rate`, the double nearest to the rate. The first statement names the lake: this server's, or a directory. Over HTTP DuckDB needs its extension httpfs, and for past years a key (docs/lake.md). While `in_lake` is false it returns no row.
                 * @example SELECT 1.0::DOUBLE AS rate;
                 */
                sql: string;
                /**
                 * @description Whether the lake has every figure of the rate: a quote is in its files only after the next flush, five minutes at the most.
                 * @example true
                 */
                in_lake: boolean;
                /**
                 * Format: date-time
                 * @description When the next flush is due, UTC; null where `in_lake` is true.
                 * @example null
                 */
                in_lake_at: string | null;
            };
            /** @example open */
            market_session: components["schemas"]["MarketSession"];
            /**
             * Format: date-time
             * @description When the answer was served, UTC, to the second.
             * @example 2026-04-13T16:30:00Z
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description Time of the oldest contributing observation, UTC.
             * @example 2026-04-13T12:15:00Z
             */
            data_updated_at: string;
            /**
             * @description Reminder that rates are indicative and not for settlement. It starts with SIMULATED where a rate is simulated, and says which.
             * @example Indicative mid rates for information only; not for settlement, trading or use as a source of record. Daily reference rates: published once a day, not live.
             */
            notice: string;
        };
        /**
         * @description Who delivered a quote; else null.
         * @enum {string}
         */
        ExplainedFeed: "coinbase" | "oxr" | "massive" | "twelvedata" | "oanda";
        /** @description A figure that a rate is made of. */
        ExplainedLeg: {
            /**
             * @description What the figure does in the computation.
             * @example divide
             * @enum {string}
             */
            operation: "multiply" | "divide";
            /**
             * @description 1 unit of this currency …
             * @example EUR
             */
            base: components["schemas"]["CurrencyCode"];
            /**
             * @description … is `value` units of this one.
             * @example USD
             */
            quote: components["schemas"]["CurrencyCode"];
            /**
             * Format: double
             * @description The figure, its digits and its direction as published.
             * @example 1.1671
             */
            value: number;
            /**
             * Format: double
             * @description By how much the figure may be off, in units of `quote`: half a unit of its last digit that counts, or half its spread. `derivation_bps_max` is made of these.
             * @example 0.00005
             */
            error: number;
            /**
             * @description The least fresh contributing source: that of the oldest observation.
             * @example ecb_daily
             */
            source: components["schemas"]["Source"];
            /**
             * @description Only in the demo: the figure is made up. Absent where it is real.
             * @constant
             */
            simulated?: true;
            /**
             * @description Who publishes it, or delivers the quote.
             * @example European Central Bank
             */
            authority: string;
            /**
             * @description Attribution and terms; to be passed on with the figure.
             * @example Source: European Central Bank, euro foreign exchange reference rates.
             */
            terms: string;
            /**
             * Format: date
             * @description Day of the observation; null for a quote.
             * @example 2026-04-10
             */
            date: string | null;
            /**
             * Format: date-time
             * @description Instant that the figure describes, UTC.
             * @example 2026-04-10T12:15:00Z
             */
            observed_at: string;
            /**
             * Format: date-time
             * @description When the authority published it, UTC; null where not stated.
             * @example null
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @description When this server retrieved it, UTC.
             * @example 2026-04-10T14:01:00Z
             */
            retrieved_at: string;
            /**
             * @description Address of the document that it was read from; null for a quote.
             * @example https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml
             */
            document: string | null;
            /**
             * @description SHA-256 of that document, in hex.
             * @example 3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f
             */
            document_sha256: string | null;
            /**
             * Format: int64
             * @description 1 for the first value, one more for each change; null for a quote.
             * @example 1
             */
            revision: number | null;
            /**
             * @description The values that the figure had before, the oldest first; empty where it was never corrected.
             * @example []
             */
            revisions: components["schemas"]["ExplainedRevision"][];
            /**
             * @description Who delivered a quote; else null.
             * @example coinbase
             */
            feed: components["schemas"]["ExplainedFeed"] | null;
            /**
             * Format: double
             * @description Bid of the quote; null without one, and for a daily figure.
             * @example 0.85581
             */
            bid: number | null;
            /**
             * Format: double
             * @description The same for the ask.
             * @example 0.85589
             */
            ask: number | null;
        };
        /** @description A value that a figure had before. */
        ExplainedRevision: {
            /**
             * Format: int64
             * @description Number of the revision; the one in force has a higher one.
             * @example 1
             */
            revision: number;
            /**
             * Format: double
             * @description What it was, with the digits as published.
             * @example 1.1671
             */
            value: number;
            /**
             * Format: date-time
             * @description When the authority published it, UTC; null where not stated.
             * @example null
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @description When this server retrieved it, UTC.
             * @example 2026-04-10T14:01:00Z
             */
            retrieved_at: string;
            /**
             * Format: date-time
             * @description When the document that ended it was retrieved, UTC.
             * @example 2026-04-13T14:01:00Z
             */
            superseded_at: string;
            /**
             * @description How it ended.
             * @enum {string}
             */
            why: "revised" | "withdrawn";
            /**
             * Format: uri
             * @description Address of the document that it was read from.
             * @example https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml
             */
            document: string;
            /**
             * @description SHA-256 of that document, in hex.
             * @example 3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f
             */
            document_sha256: string;
        };
        /** @description How much an export will be. */
        ExportEstimate: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description Marks the answer: nothing was exported.
             * @example true
             * @constant
             */
            estimate: true;
            /**
             * @description The format requested.
             * @example csv
             * @enum {string}
             */
            format: "json" | "csv" | "parquet" | "ndjson" | "arrow" | "xlsx";
            /**
             * Format: int64
             * @description Rows of the file or all pages: exact for daily rates, at most for quotes and bars.
             * @example 6
             */
            rows: number;
            /**
             * Format: int64
             * @description Size of the file, or of all pages.
             * @example 417
             */
            bytes: number;
            /**
             * @description True when the file is finished; else `bytes` is from the usual size of a row.
             * @example false
             */
            exact: boolean;
            /**
             * Format: int64
             * @description Calls that it counts as: 1 for a file, however long; of JSON one a page.
             * @example 1
             */
            requests: number;
        };
        /** @description One live feed. */
        FeedCheck: {
            /**
             * @description Name of the feed.
             * @enum {string}
             */
            feed: "coinbase" | "oxr" | "massive" | "twelvedata" | "oanda";
            /**
             * @description The first feed of the configuration is the primary one.
             * @enum {string}
             */
            role: "primary" | "fallback";
            /**
             * Format: int64
             * @description Number of currencies with the newest quote from this feed.
             * @example 19
             */
            speaks_for: number;
            /**
             * @description How the last poll went; null on a server that leaves polling to another.
             * @example quotes
             */
            outcome: components["schemas"]["FeedOutcome"] | null;
            /**
             * Format: date-time
             * @description Last poll, UTC.
             * @example 2026-04-13T16:29:02Z
             */
            last_attempt_at: string | null;
            /**
             * Format: date-time
             * @description Last poll that read an intact document, UTC.
             * @example 2026-04-13T16:29:02Z
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description Until when the feed is not polled because it requested that, UTC.
             * @example null
             */
            paused_until: string | null;
            /**
             * @description Why the last poll failed, or how many of its prices cannot be used and why.
             * @example null
             */
            detail: string | null;
        };
        /**
         * @description How the last poll went; null on a server that leaves polling to another.
         * @enum {string}
         */
        FeedOutcome: "never" | "quotes" | "unchanged" | "failed";
        /** @description How one rate changed between two days. */
        Fluctuation: {
            /**
             * Format: double
             * @description Rate in force on `start_date`.
             * @example 1.1708
             */
            start_rate: number;
            /**
             * Format: date
             * @description Day of the figures behind it, at most 14 days earlier.
             * @example 2015-01-15
             */
            start_date: string;
            /**
             * Format: double
             * @description Rate in force on `end_date`.
             * @example 1.1305
             */
            end_rate: number;
            /**
             * Format: date
             * @description Day of the figures behind it, at most 14 days earlier.
             * @example 2015-01-30
             */
            end_date: string;
            /**
             * Format: double
             * @description `end_rate` minus `start_rate`, exact.
             * @example -0.0403
             */
            change: number;
            /**
             * Format: double
             * @description `change` in percent of `start_rate`, half-even to six significant digits.
             * @example -3.44209
             */
            change_pct: number;
            /**
             * Format: double
             * @description Smallest rate of the start, of all days published since, and of the end.
             * @example 1.1198
             */
            low: number;
            /**
             * Format: date
             * @description Its day.
             * @example 2015-01-23
             */
            low_date: string;
            /**
             * Format: double
             * @description Largest rate of the start, of all days published since, and of the end.
             * @example 1.1708
             */
            high: number;
            /**
             * Format: date
             * @description Its day.
             * @example 2015-01-15
             */
            high_date: string;
        };
        /** @description Changes of rates between two days. */
        FluctuationResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description Currency that the rates are for 1 unit of.
             * @example EUR
             */
            base: components["schemas"]["CurrencyCode"];
            /**
             * Format: date
             * @description First day requested, UTC.
             * @example 2015-01-15
             */
            start_date: string;
            /**
             * Format: date
             * @description Last day requested, UTC.
             * @example 2015-01-31
             */
            end_date: string;
            /**
             * Format: date-time
             * @description With `as_of`: the instant that limits what the answer knows.
             * @example 2026-04-13T16:00:00Z
             */
            as_of?: string;
            /**
             * @description With `as_of`: how knowledge is dated. `published`: what the world could know, by the publication instant where the authority states one, by the publication schedule for the first value of a day, by retrieval for a correction. `retrieved`: what this very server held.
             * @example published
             * @enum {string}
             */
            as_of_basis?: "published" | "retrieved";
            /**
             * @description With `as_of`: true when a contributing figure came to this server only after that instant, so a value that the authority had replaced in between is not known.
             * @example false
             */
            as_of_reconstructed?: boolean;
            /**
             * @description The least fresh contributing source: that of the oldest observation.
             * @example ecb_daily
             */
            source: components["schemas"]["Source"];
            /**
             * @description Source of each currency's first figure; `notice` says where another takes over.
             * @example {
             *       "USD": "ecb_daily",
             *       "EUR": "ecb_daily",
             *       "GBP": "ecb_daily"
             *     }
             */
            sources: {
                [key: string]: components["schemas"]["Source"];
            };
            /**
             * @description Only in the demo: the currencies whose rate rests on a simulated figure. Absent where there is none: a rate that is not named is real.
             * @example {
             *       "TWD": true
             *     }
             */
            simulated?: {
                [key: string]: boolean;
            };
            /** @example open */
            market_session: components["schemas"]["MarketSession"];
            /**
             * Format: date-time
             * @description When the answer was served, UTC, to the second.
             * @example 2026-04-13T16:30:00Z
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description Time of the oldest contributing observation, UTC.
             * @example 2026-04-13T12:15:00Z
             */
            data_updated_at: string;
            /**
             * @description Observation time of each currency's last figure, UTC.
             * @example {
             *       "USD": "2026-04-13T12:15:00Z",
             *       "EUR": "2026-04-13T12:15:00Z",
             *       "GBP": "2026-04-13T12:15:00Z"
             *     }
             */
            effective_at: {
                [key: string]: string;
            };
            /**
             * @description By currency.
             * @example {
             *       "USD": {
             *         "start_rate": 1.1708,
             *         "start_date": "2015-01-15",
             *         "end_rate": 1.1305,
             *         "end_date": "2015-01-30",
             *         "change": -0.0403,
             *         "change_pct": -3.44209,
             *         "low": 1.1198,
             *         "low_date": "2015-01-23",
             *         "high": 1.1708,
             *         "high_date": "2015-01-15"
             *       }
             *     }
             */
            rates: {
                [key: string]: components["schemas"]["Fluctuation"];
            };
            /**
             * @description Currencies requested that have no value here, those of the catalog where all were; absent where there is none.
             * @example [
             *       "ISK"
             *     ]
             */
            missing_symbols?: components["schemas"]["CurrencyCode"][];
            /**
             * @description Currencies with a rate that is triangulated through a third currency. An inverse is not triangulated.
             * @example [
             *       "GBP"
             *     ]
             */
            derived_symbols: components["schemas"]["CurrencyCode"][];
            /**
             * @description Reminder that rates are indicative and not for settlement. It starts with SIMULATED where a rate is simulated, and says which.
             * @example Indicative mid rates for information only; not for settlement, trading or use as a source of record. Daily reference rates: published once a day, not live.
             */
            notice: string;
        };
        /**
         * @description English names from ISO 4217 by currency code.
         * @example {
         *       "EUR": "Euro",
         *       "GBP": "Pound Sterling",
         *       "USD": "US Dollar"
         *     }
         */
        FrankfurterV1Currencies: {
            [key: string]: string;
        };
        /** @description The rates of one publication. */
        FrankfurterV1Day: {
            /**
             * Format: double
             * @description The amount that the rates are multiplied by.
             * @example 1
             */
            amount: number;
            /**
             * @description Currency of the amount.
             * @example EUR
             */
            base: components["schemas"]["CurrencyCode"];
            /**
             * Format: date
             * @description Day on which all of these rates were published.
             * @example 2026-04-13
             */
            date: string;
            /**
             * @description What the amount of the base is in each currency.
             * @example {
             *       "GBP": 0.8713,
             *       "USD": 1.1684
             *     }
             */
            rates: {
                [key: string]: number;
            };
        };
        /** @description The rates of one publication, or of a period. */
        FrankfurterV1DayOrPeriod: components["schemas"]["FrankfurterV1Day"] | components["schemas"]["FrankfurterV1Period"];
        /** @description The rates of every publication of a period. */
        FrankfurterV1Period: {
            /**
             * Format: double
             * @description The amount that the rates are multiplied by.
             * @example 1
             */
            amount: number;
            /**
             * @description Currency of the amount.
             * @example EUR
             */
            base: components["schemas"]["CurrencyCode"];
            /**
             * Format: date
             * @description Day of the first publication in the answer.
             * @example 2026-04-09
             */
            start_date: string;
            /**
             * Format: date
             * @description Day of the last publication in the answer.
             * @example 2026-04-13
             */
            end_date: string;
            /**
             * @description The rates of each publication by its day, ascending.
             * @example {
             *       "2026-04-13": {
             *         "GBP": 0.8713,
             *         "USD": 1.1684
             *       }
             *     }
             */
            rates: {
                [key: string]: {
                    [key: string]: number;
                };
            };
        };
        /** @description A refusal in the form of Frankfurter v1. */
        FrankfurterV1Refusal: {
            /**
             * @description What is wrong.
             * @example not found
             */
            message: string;
        };
        /** @description A currency. */
        FrankfurterV2Currency: {
            /**
             * @description ISO 4217 code.
             * @example EUR
             */
            iso_code: components["schemas"]["CurrencyCode"];
            /**
             * @description ISO 4217 numeric code.
             * @example 978
             */
            iso_numeric: string;
            /**
             * @description English name from ISO 4217.
             * @example Euro
             */
            name: string;
            /**
             * @description Always null: the catalog has no signs.
             * @example null
             */
            symbol: string | null;
            /**
             * Format: date
             * @description Day of its first rate against USD; null before anything was collected.
             * @example 1999-01-04
             */
            start_date: string | null;
            /**
             * Format: date
             * @description Day of its newest rate; of its last one when its figures have ended; null before anything was collected.
             * @example 2026-04-13
             */
            end_date: string | null;
        };
        /** @description A currency and its sources. */
        FrankfurterV2CurrencyDetail: {
            /**
             * @description ISO 4217 code.
             * @example EUR
             */
            iso_code: components["schemas"]["CurrencyCode"];
            /**
             * @description ISO 4217 numeric code.
             * @example 978
             */
            iso_numeric: string;
            /**
             * @description English name from ISO 4217.
             * @example Euro
             */
            name: string;
            /**
             * @description Always null: the catalog has no signs.
             * @example null
             */
            symbol: string | null;
            /**
             * Format: date
             * @description Day of its first rate against USD; null before anything was collected.
             * @example 1999-01-04
             */
            start_date: string | null;
            /**
             * Format: date
             * @description Day of its newest rate; of its last one when its figures have ended; null before anything was collected.
             * @example 2026-04-13
             */
            end_date: string | null;
            /**
             * @description Keys of the sources that publish it.
             * @example [
             *       "ECB",
             *       "FRED"
             *     ]
             */
            providers: string[];
        };
        /** @description A source. */
        FrankfurterV2Provider: {
            /**
             * @description Key of the source for `providers`.
             * @example ECB
             */
            key: string;
            /**
             * @description Who publishes it.
             * @example European Central Bank
             */
            name: string;
            /**
             * @description ISO 3166-1 code.
             * @example EU
             */
            country_code: string;
            /**
             * @description What its figures are.
             * @example reference rate
             */
            rate_type: string;
            /**
             * Format: uri
             * @description Its page.
             * @example https://www.ecb.europa.eu/
             */
            data_url: string;
            /**
             * Format: uri
             * @description Its terms of use.
             * @example https://www.ecb.europa.eu/
             */
            terms_url: string;
            /**
             * @description Currency that its figures are quoted against.
             * @example EUR
             */
            pivot_currency: components["schemas"]["CurrencyCode"];
            /**
             * @description The same under an older name.
             * @example EUR
             */
            base: components["schemas"]["CurrencyCode"];
            /**
             * Format: date
             * @description First day with a rate; null before anything was collected.
             * @example 1999-01-04
             */
            start_date: string | null;
            /**
             * Format: date
             * @description Newest day on which a rate served here is its; null where no such rate is in force.
             * @example 2026-04-13
             */
            end_date: string | null;
            /**
             * @description Figures are of days.
             * @enum {string}
             */
            publish_cadence: "daily";
            /**
             * @description Currencies it covers.
             * @example [
             *       "EUR",
             *       "USD"
             *     ]
             */
            currencies: components["schemas"]["CurrencyCode"][];
        };
        /** @description The rate of a pair on a date. */
        FrankfurterV2Rate: {
            /**
             * Format: date
             * @description The day that its figures are of: the newest on which both sides have theirs.
             * @example 2026-04-13
             */
            date: string;
            /**
             * @description Base currency.
             * @example EUR
             */
            base: components["schemas"]["CurrencyCode"];
            /**
             * @description Quote currency.
             * @example USD
             */
            quote: components["schemas"]["CurrencyCode"];
            /**
             * Format: double
             * @description Units of `quote` per 1 `base`.
             * @example 1.1684
             */
            rate: number;
        };
        /** @description By quote; of a range by date, then by quote. The base against itself is among them. */
        FrankfurterV2Rates: components["schemas"]["FrankfurterV2Rate"][];
        /** @description A refusal in the form of Frankfurter v2. */
        FrankfurterV2Refusal: {
            /**
             * Format: int64
             * @description HTTP status.
             * @example 422
             */
            status: number;
            /**
             * @description What is wrong.
             * @example invalid date
             */
            message: string;
        };
        /** @description Liveness. */
        HealthResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description The process answers.
             * @example ok
             * @constant
             */
            status: "ok";
            /**
             * @description Version of the product.
             * @example 0.1.0
             */
            version: string;
        };
        /** @description A figure that is not served until it is settled. */
        HeldFigure: {
            /**
             * Format: date
             * @description Day that the figure is for.
             * @example 2026-04-13
             */
            date: string;
            /**
             * @description Currency that the figure is for 1 unit of.
             * @example EUR
             */
            base: components["schemas"]["CurrencyCode"];
            /**
             * @description Currency that the figure is in units of.
             * @example NOK
             */
            quote: components["schemas"]["CurrencyCode"];
            /**
             * @description The figure as printed, in units of `quote` per 1 unit of `base`.
             * @example 118.529
             */
            value: string;
            /**
             * @description Name of the rule that holds it.
             * @example implausible_jump
             */
            rule: string;
            /**
             * @description Why, with the numbers.
             * @example 118.529 is 10 times the 11.8301 of 2026-04-10
             */
            reason: string;
            /**
             * Format: date-time
             * @description When the figure was read, UTC.
             * @example 2026-04-13T14:05:00Z
             */
            retrieved_at: string;
        };
        /** @description The rates of one past day on one base. */
        HistoricalResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description Currency that the rates are for 1 unit of.
             * @example USD
             */
            base: components["schemas"]["CurrencyCode"];
            /**
             * Format: date
             * @description The day requested, UTC.
             * @example 2026-04-13
             */
            date: string;
            /**
             * @description The least fresh contributing source: that of the oldest observation.
             * @example ecb_daily
             */
            source: components["schemas"]["Source"];
            /**
             * @description Source of each returned currency's own figure; the base is listed too when its own observation contributes.
             * @example {
             *       "USD": "ecb_daily",
             *       "EUR": "ecb_daily",
             *       "GBP": "ecb_daily"
             *     }
             */
            sources: {
                [key: string]: components["schemas"]["Source"];
            };
            /**
             * @description Only in the demo: the currencies whose rate rests on a simulated figure. Absent where there is none: a rate that is not named is real.
             * @example {
             *       "TWD": true
             *     }
             */
            simulated?: {
                [key: string]: boolean;
            };
            /** @example open */
            market_session: components["schemas"]["MarketSession"];
            /**
             * Format: date-time
             * @description When the answer was served, UTC, to the second.
             * @example 2026-04-13T16:30:00Z
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description Time of the oldest contributing observation, UTC.
             * @example 2026-04-13T12:15:00Z
             */
            data_updated_at: string;
            /**
             * @description Observation time of each currency, UTC; the base's is that of the oldest of its figures.
             * @example {
             *       "USD": "2026-04-13T12:15:00Z",
             *       "EUR": "2026-04-13T12:15:00Z",
             *       "GBP": "2026-04-13T12:15:00Z"
             *     }
             */
            effective_at: {
                [key: string]: string;
            };
            /**
             * @description True when any contributing figure is of an earlier day than `date`: at most 14 days earlier.
             * @example false
             */
            is_forward_filled: boolean;
            /**
             * Format: date-time
             * @description With `as_of`: the instant that limits what the answer knows.
             * @example 2026-04-13T16:00:00Z
             */
            as_of?: string;
            /**
             * @description With `as_of`: how knowledge is dated. `published`: what the world could know, by the publication instant where the authority states one, by the publication schedule for the first value of a day, by retrieval for a correction. `retrieved`: what this very server held.
             * @example published
             * @enum {string}
             */
            as_of_basis?: "published" | "retrieved";
            /**
             * @description With `as_of`: true when a contributing figure came to this server only after that instant, so a value that the authority had replaced in between is not known.
             * @example false
             */
            as_of_reconstructed?: boolean;
            /**
             * @description Units of the currency per 1 unit of `base`. A direct rate is printed as published; an inverse or a cross is exact arithmetic on the published figures, rounded half-even to 10 significant digits.
             * @example {
             *       "EUR": 0.855871277,
             *       "GBP": 0.7457206436
             *     }
             */
            rates: {
                [key: string]: number;
            };
            /**
             * @description Currencies requested that have no value here, those of the catalog where all were; absent where there is none.
             * @example [
             *       "ISK"
             *     ]
             */
            missing_symbols?: components["schemas"]["CurrencyCode"][];
            /**
             * @description Currencies with a rate that is triangulated through a third currency. An inverse is not triangulated.
             * @example [
             *       "GBP"
             *     ]
             */
            derived_symbols: components["schemas"]["CurrencyCode"][];
            /**
             * @description Reminder that rates are indicative and not for settlement. It starts with SIMULATED where a rate is simulated, and says which.
             * @example Indicative mid rates for information only; not for settlement, trading or use as a source of record. Daily reference rates: published once a day, not live.
             */
            notice: string;
        };
        /** @description Envelope where a date can lie before the history of the caller's plan: `plan_gated` has all of the members, any other code the first three. */
        HistoryRefusal: {
            /**
             * @description `error` on every refusal.
             * @example error
             * @constant
             */
            result: "error";
            code: components["schemas"]["ErrorCode"];
            /**
             * @description What went wrong and what to do about it, for people. The text may change.
             * @example unsupported base: XYZ
             */
            message: string;
            /**
             * @description The caller's plan; `anonymous` without a key.
             * @example free
             */
            tier?: string;
            /**
             * @description Width of the rows that were requested.
             * @example 1d
             */
            interval?: string;
            /**
             * Format: int64
             * @description Days of history that the plan includes, today among them.
             * @example 30
             */
            history_days?: number;
            /**
             * Format: date
             * @description First day that the plan includes.
             * @example 2026-03-15
             */
            earliest_allowed?: string;
            /**
             * @description Plans that include the date, from the smallest to the largest.
             * @example [
             *       "plus",
             *       "pro"
             *     ]
             */
            upgrade_plans?: string[];
            /**
             * @description The same plans, each with what it lacks.
             * @example [
             *       {
             *         "plan": "pro",
             *         "loses": []
             *       }
             *     ]
             */
            upgrade_offers?: components["schemas"]["UpgradeOffer"][];
            /**
             * Format: uri
             * @description The page with the plans and their prices.
             * @example https://rates.example/pricing
             */
            upgrade_url?: string;
        };
        /** @description Who is signed in. */
        Identity: {
            /**
             * @description Id of the person.
             * @example idn_8TqW2mZr5KcY0hVx3NsB
             */
            id: string;
            /**
             * @description E-mail address; null when an identity provider gave none.
             * @example ada@example.com
             */
            email: string | null;
            /**
             * @description Whether a mailed link or the identity provider confirmed the address.
             * @example true
             */
            email_verified: boolean;
            /**
             * @description `admin` is given by the command line only.
             * @enum {string}
             */
            role: "user" | "admin";
            /**
             * Format: date-time
             * @description When the account was opened, UTC.
             * @example 2026-04-02T09:00:00Z
             */
            created_at: string;
        };
        /** @description The quotes observed on one UTC day. */
        IntradayFile: {
            /**
             * @description Below `/v1/lake/`. What is under this name never changes; a file that was replaced stays for a day at the least.
             * @example intraday/date=2026-04-13/part-6f1c0a52-2f0e-4e43-9d0a-7b1f5b0f6c1d.parquet
             */
            path: string;
            /**
             * @description Below `/v1/lake/`: the fixed name of the newest file.
             * @example current/intraday/date=2026-04-13/quotes.parquet
             */
            current: string;
            /**
             * Format: int64
             * @description Rows in the file.
             * @example 25920
             */
            rows: number;
            /**
             * Format: int64
             * @description Size of the file.
             * @example 412880
             */
            bytes: number;
            /**
             * @description Digest of the file in hex; its `ETag`.
             * @example 1f0b30e8ff9f6d1f5d0bb6f2b8d9c1f01f0b30e8ff9f6d1f5d0bb6f2b8d9c1f0
             */
            sha256: string;
            /** @description Range of the observations. */
            observed: {
                /**
                 * Format: date-time
                 * @description Earliest observation, UTC, to the millisecond.
                 * @example 2026-04-13T00:00:21.000Z
                 */
                first: string;
                /**
                 * Format: date-time
                 * @description Latest observation, UTC, to the millisecond.
                 * @example 2026-04-13T16:29:20.000Z
                 */
                last: string;
            };
        };
        /** @description What the intraday archive holds, by date. */
        IntradayManifest: {
            /**
             * Format: int64
             * @description Version of the layout.
             * @example 2
             */
            format: number;
            /**
             * @description `simulated` in the demo, where only the history of the ECB that it began with is real.
             * @enum {string}
             */
            mode: "real" | "simulated";
            /**
             * Format: int64
             * @description Version of the Delta table: one more with every change of its files.
             * @example 8120
             */
            version: number;
            /** @description Every date with quotes, ascending. */
            files: components["schemas"]["IntradayFile"][];
        };
        /**
         * @description The key.
         * @example {
         *       "prefix": "fxk_Example0",
         *       "plaintext": "fxk_Example0Example0Example0Example0000000",
         *       "created_at": "2026-04-13T16:30:00Z",
         *       "last_used_at": null
         *     }
         */
        KeySummary: {
            /**
             * @description The first 12 characters of the key, to recognize it by.
             * @example fxk_Example0
             */
            prefix: string;
            /**
             * @description The whole key. Null when it cannot be decrypted on this server at present: it still works, and rotating gives one that can be shown.
             * @example fxk_Example0Example0Example0Example0000000
             */
            plaintext: string | null;
            /**
             * Format: date-time
             * @description When the key was issued, UTC.
             * @example 2026-04-02T09:15:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Last use, UTC, up to a minute behind, or null.
             * @example 2026-04-13T16:29:00Z
             */
            last_used_at: string | null;
        };
        /** @description The end of the keys. */
        KeysRevokedResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description True when no key works any more; false when there has never been one.
             * @example true
             */
            revoked: boolean;
            /**
             * Format: date-time
             * @description When the newest key was revoked first, UTC.
             * @example 2026-04-13T16:30:00Z
             */
            revoked_at: string | null;
            /**
             * @description The first 12 characters of the newest key.
             * @example fxk_Example0
             */
            prefix: string | null;
        };
        /** @description How far a source's documents reach. */
        LakeCoverage: {
            /**
             * @description The source.
             * @example ecb_daily
             */
            source: components["schemas"]["Source"];
            /**
             * Format: date
             * @description Last day that the source's documents cover.
             * @example 2026-04-13
             */
            covered_through: string;
            /**
             * Format: date-time
             * @description When that was last seen, UTC.
             * @example 2026-04-13T14:05:00Z
             */
            retrieved_at: string;
        };
        /** @description What the lake holds of daily figures, by file. */
        LakeManifest: {
            /**
             * Format: int64
             * @description Version of the layout.
             * @example 2
             */
            format: number;
            /**
             * @description `simulated` in the demo, where only the history of the ECB that it began with is real.
             * @enum {string}
             */
            mode: "real" | "simulated";
            /**
             * @description Version of the daily figures: a new one with every change of data.
             * @example 412-mm0k3f1c
             */
            version: string;
            /** @description One entry a source. */
            coverage: components["schemas"]["LakeCoverage"][];
            /** @description Every data file of this version: `daily`, then `revisions`, then `held`, each by path. */
            files: components["schemas"]["LakeManifestFile"][];
            /** @description Manifests of tables that change at other times than this one. */
            manifests: {
                /**
                 * @description That of the intraday quotes, below `/v1/lake/`.
                 * @example intraday/manifest.json
                 */
                intraday: string;
                /**
                 * @description That of the official publications, below `/v1/lake/`; absent where no table is collected, and before the first publication.
                 * @example official/manifest.json
                 */
                official?: string;
            };
        };
        /** @description One data file. */
        LakeManifestFile: {
            /**
             * @description Below `/v1/lake/`. What is under this name never changes; a file that was replaced stays for a day at the least.
             * @example daily/source=ecb_daily/year=2026/part-6f1c0a52-2f0e-4e43-9d0a-7b1f5b0f6c1d.parquet
             */
            path: string;
            /**
             * @description Below `/v1/lake/`: the fixed name of the newest file.
             * @example current/daily/source=ecb_daily/year=2026/rates.parquet
             */
            current: string;
            /**
             * Format: int64
             * @description Rows in the file.
             * @example 2030
             */
            rows: number;
            /**
             * Format: int64
             * @description Size of the file.
             * @example 48213
             */
            bytes: number;
            /**
             * @description Digest of the file in hex; its `ETag`.
             * @example 1f0b30e8ff9f6d1f5d0bb6f2b8d9c1f01f0b30e8ff9f6d1f5d0bb6f2b8d9c1f0
             */
            sha256: string;
            /** @description Range of the dates. */
            dates: {
                /**
                 * Format: date
                 * @description Earliest date.
                 * @example 2026-01-02
                 */
                first: string;
                /**
                 * Format: date
                 * @description Latest date.
                 * @example 2026-04-13
                 */
                last: string;
            };
            /** @description Range of the values; null for the figures held back, which need not be numbers. */
            values: components["schemas"]["LakeValueRange"] | null;
        };
        /** @description What proves that a rate was in a version of the lake. */
        LakeProof: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description Version of the daily figures, as in the manifest.
             * @example 412-mm0k3f1c
             */
            version: string;
            /**
             * @description Currency that the rates are for 1 unit of.
             * @example EUR
             */
            base: components["schemas"]["CurrencyCode"];
            /**
             * @description The currency wanted.
             * @example USD
             */
            symbol: components["schemas"]["CurrencyCode"];
            /**
             * Format: date
             * @description The day asked for.
             * @example 2026-04-11
             */
            date: string;
            /**
             * Format: double
             * @description Units of the target currency per 1 unit of the base. A direct rate is printed as published; an inverse or a cross is exact arithmetic on the published figures, rounded half-even to 10 significant digits.
             * @example 1.1671
             */
            rate: number;
            /**
             * @description True when the rate is triangulated through a third currency. An inverse is not.
             * @example false
             */
            derived: boolean;
            /** @description The figures, as the rate is computed from them. */
            legs: components["schemas"]["ProofLeg"][];
            /**
             * @description The list of all data files of the version; its SHA-256 is `files` of the entry.
             * @example 1f0b1f0b1f0b1f0b1f0b1f0b1f0b1f0b1f0b1f0b1f0b1f0b1f0b1f0b1f0b1f0b  source=ecb_daily/year=2026/part-6f1c0a52-2f0e-4e43-9d0a-7b1f5b0f6c1d.parquet
             */
            files: string;
            /** @description The signed entry of the version of `daily`. */
            entry: components["schemas"]["ChainCommit"];
            head: components["schemas"]["ChainHead"];
        };
        /** @description Smallest and largest value of a file. */
        LakeValueRange: {
            /**
             * Format: double
             * @description Smallest value.
             * @example 0.8702
             */
            least: number;
            /**
             * Format: double
             * @description Largest value.
             * @example 19874.2
             */
            greatest: number;
        };
        /** @description The newest rate of every currency on one base. */
        LatestResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description Currency that the rates are for 1 unit of.
             * @example USD
             */
            base: components["schemas"]["CurrencyCode"];
            /**
             * @description The least fresh contributing source: that of the oldest observation.
             * @example ecb_daily
             */
            source: components["schemas"]["Source"];
            /**
             * @description Source of each returned currency's own figure; the base is listed too when its own observation contributes.
             * @example {
             *       "USD": "ecb_daily",
             *       "EUR": "ecb_daily",
             *       "GBP": "ecb_daily"
             *     }
             */
            sources: {
                [key: string]: components["schemas"]["Source"];
            };
            /**
             * @description Only in the demo: the currencies whose rate rests on a simulated figure. Absent where there is none: a rate that is not named is real.
             * @example {
             *       "TWD": true
             *     }
             */
            simulated?: {
                [key: string]: boolean;
            };
            /** @example open */
            market_session: components["schemas"]["MarketSession"];
            /**
             * Format: date-time
             * @description When the answer was served, UTC, to the second.
             * @example 2026-04-13T16:30:00Z
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description Time of the oldest contributing observation, UTC.
             * @example 2026-04-13T12:15:00Z
             */
            data_updated_at: string;
            /**
             * @description Observation time of each currency, UTC; the base's is that of the oldest of its figures.
             * @example {
             *       "USD": "2026-04-13T12:15:00Z",
             *       "EUR": "2026-04-13T12:15:00Z",
             *       "GBP": "2026-04-13T12:15:00Z"
             *     }
             */
            effective_at: {
                [key: string]: string;
            };
            /**
             * @description Units of the currency per 1 unit of `base`. A direct rate is printed as published; an inverse or a cross is exact arithmetic on the published figures, rounded half-even to 10 significant digits.
             * @example {
             *       "EUR": 0.855871277,
             *       "GBP": 0.7457206436
             *     }
             */
            rates: {
                [key: string]: number;
            };
            /**
             * @description Currencies requested that have no value here, those of the catalog where all were; absent where there is none.
             * @example [
             *       "ISK"
             *     ]
             */
            missing_symbols?: components["schemas"]["CurrencyCode"][];
            /**
             * @description True for a currency with a rate outside its source's freshness window: a newer publication was due and has not been seen.
             * @example {
             *       "EUR": false,
             *       "GBP": false
             *     }
             */
            stale: {
                [key: string]: boolean;
            };
            /**
             * @description Currencies with a rate that is triangulated through a third currency. An inverse is not triangulated.
             * @example [
             *       "GBP"
             *     ]
             */
            derived_symbols: components["schemas"]["CurrencyCode"][];
            /**
             * @description Reminder that rates are indicative and not for settlement. It starts with SIMULATED where a rate is simulated, and says which.
             * @example Indicative mid rates for information only; not for settlement, trading or use as a source of record. Daily reference rates: published once a day, not live.
             */
            notice: string;
            /**
             * @description Spread between bid and ask in basis points of the mid, of the live quote behind the rate. Only of rates made of one quote with both; absent where there is no such rate.
             * @example {
             *       "EUR": 0.93,
             *       "JPY": 0.51
             *     }
             */
            spread_bps?: {
                [key: string]: number;
            };
        };
        /**
         * @description Where it is stored.
         * @enum {string}
         */
        LedgerKind: "sqlite" | "postgres";
        /** @description The same for every address, known or not. */
        LetterResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description `if_known`: an e-mail is on its way if the address has an account that needs it. `not_configured`: this server sends no mail.
             * @enum {string}
             */
            mail: "if_known" | "not_configured";
            /**
             * @description What to do next.
             * @example if the address has an account here, an e-mail is on its way to it
             */
            message: string;
        };
        /**
         * @description Where it is stored.
         * @enum {string}
         */
        LimitsKind: "memory" | "redis";
        /**
         * @description State of the interbank market when the answer was served, by the New York clock: `open`; `weekend` from Friday 17:00 to Sunday 17:00; `interbank_closed` on the trade dates 25 December and 1 January.
         * @enum {string}
         */
        MarketSession: "open" | "weekend" | "interbank_closed";
        /** @description Who is signed in. */
        MeResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            identity: components["schemas"]["Identity"];
        };
        /** @description A page of changes. */
        OfficialChangesResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /** @description In the order in which they were committed, the oldest first. */
            changes: components["schemas"]["OfficialEvent"][];
            /**
             * @description True when another page follows.
             * @example false
             */
            has_more: boolean;
            /**
             * @description The `cursor` of the next page; null on the last.
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Leads to what comes after this page, now or later: keep it, and send it as `cursor` with everything else unchanged to receive every further change exactly once.
             * @example NyAxNzc2MTAzNTExMDAw.0XfmcbsmKojzbb-PGRwx4g
             */
            resume_cursor: string;
        };
        /** @description Collection of one official table. */
        OfficialCheck: {
            /**
             * @description `failing`: the last attempt to collect failed; what was collected before is served. `missing`: nothing was collected yet.
             * @enum {string}
             */
            status: "ok" | "failing" | "missing";
            /**
             * @description Name of the newest publication, by validity.
             * @example 2026-04-13
             */
            newest_publication: string | null;
            /**
             * Format: date
             * @description First day of its validity.
             * @example 2026-04-13
             */
            newest_valid_from: string | null;
            /**
             * Format: date-time
             * @description Last attempt to collect, UTC.
             * @example 2026-04-13T16:05:00Z
             */
            last_attempt_at: string | null;
            /**
             * Format: date-time
             * @description Last one that read an intact document, UTC.
             * @example 2026-04-13T16:05:00Z
             */
            last_success_at: string | null;
            /**
             * @description How the last attempt went; `empty`: nothing was published in the time requested.
             * @example publications
             * @enum {string}
             */
            outcome: "never" | "publications" | "empty" | "failed";
            /**
             * @description Why the last attempt failed or was empty, or what of it could not be read.
             * @example null
             */
            detail: string | null;
            /**
             * Format: int64
             * @description Number of publications held back.
             * @example 0
             */
            held_count: number;
            /**
             * @description The first 20. They wait for a second reading, the authority, or the operator.
             * @example []
             */
            held: string[];
        };
        /** @description Amount by an official table. */
        OfficialConvertResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description ISO 3166-1 alpha-3 code of the authority's country, upper case; `EUE` for the European Union.
             * @example MEX
             */
            country: string;
            /**
             * @description The type that was requested, lower case.
             * @example fix
             */
            type: string;
            /**
             * @description Every type by which the table is found below its country, the plainest first.
             * @example [
             *       "fix",
             *       "banxico"
             *     ]
             */
            types: string[];
            /**
             * @description Currency of `amount`; also outside the catalog.
             * @example USD
             */
            from: string;
            /**
             * @description Currency of `converted`; also outside the catalog.
             * @example MXN
             */
            to: string;
            /**
             * Format: double
             * @description Amount that was converted, in units of `from`.
             * @example 250
             */
            amount: number;
            /**
             * Format: double
             * @description Units of `to` per one `from`: as printed where the table states it so, else to 10 significant digits.
             * @example 17.3485
             */
            rate: number;
            /**
             * Format: double
             * @description The amount by the unrounded rate, half-even to 15 significant digits.
             * @example 4337.125
             */
            converted: number;
            /**
             * Format: double
             * @description The exact amount in minor units of `to`, half-even; null outside the catalog. From 10,000,000,000,000 on it has more than 15 digits, which only a decimal holds.
             * @example 4337.12
             */
            rounded: number | null;
            /**
             * @description True when two rates of the table are crossed.
             * @example false
             */
            derived: boolean;
            /**
             * @description The one or two rates of the table behind it, as printed.
             * @example [
             *       {
             *         "base": "USD",
             *         "quote": "MXN",
             *         "rate": 17.3485,
             *         "unit": 1,
             *         "kind": "mid"
             *       }
             *     ]
             */
            legs: components["schemas"]["OfficialRate"][];
            /**
             * @description Name of the publication: the authority's own where it has one (slashes as hyphens), else its date or period.
             * @example 2026-04-13
             */
            publication: string;
            /**
             * Format: int64
             * @description 1 for the first, one more with every correction by the authority.
             * @example 1
             */
            version: number;
            /**
             * Format: date
             * @description First day of validity, by the calendar of its zone.
             * @example 2026-04-13
             */
            valid_from: string;
            /**
             * Format: date
             * @description Last day of validity; null: valid until the next publication.
             * @example null
             */
            valid_to: string | null;
            /**
             * Format: date-time
             * @description When the authority published it, UTC; null where not stated.
             * @example null
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @description When this server retrieved it, UTC.
             * @example 2026-04-13T18:05:11Z
             */
            retrieved_at: string;
            /**
             * Format: date
             * @description The day that `rule` was applied to, on the calendar of the table's zone.
             * @example 2026-04-13
             */
            on: string;
            /**
             * @description `in_force`: the publication valid on the day. `previous_business_day`: the one valid on the day before, for laws that take the last table before the event. `published_on`: the one that the authority published on the very day, by its instant of publication where stated, else by its first day of validity.
             * @example in_force
             * @enum {string}
             */
            rule: "in_force" | "previous_business_day" | "published_on";
            /**
             * @description Who publishes it.
             * @example Banco de México
             */
            authority: string;
            /**
             * Format: uri
             * @description Address of the document that this version was read from, without credentials.
             * @example https://www.banxico.org.mx/SieAPIRest/service/v1/series/SF43718/datos/2026-04-13/2026-04-13
             */
            source_url: string;
            /**
             * @description SHA-256 of that document, in hex.
             * @example 3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f
             */
            document_sha256: string;
            /**
             * @description One line with everything that finds the rate again.
             * @example Banco de México: FIX: pesos per US dollar, by day of determination, 2026-04-13, version 1, 1 USD = 17.3485 MXN, retrieved 2026-04-13T18:05:11Z, https://www.banxico.org.mx/SieAPIRest/service/v1/series/SF43718/datos/2026-04-13/2026-04-13
             */
            citation: string;
            /**
             * @description Attribution and terms of the authority; to be passed on with the rates.
             * @example Source: Banco de México, Sistema de Información Económica, reproduced as published.
             */
            terms: string;
            /**
             * @description Reminder that rates are indicative, and that the authority's own publication prevails. It starts with SIMULATED on made-up data.
             * @example Indicative mid rates for information only; not for settlement, trading or use as a source of record. Official rates as their authority published them; its own publication prevails.
             */
            notice: string;
        };
        /** @description A publication, or a correction of one. */
        OfficialEvent: {
            /**
             * @description Unique id, `evt_<table>_<publication>_v<version>`: the same in a webhook.
             * @example evt_mex_fix_2026-04-13_v1
             */
            id: string;
            /**
             * @description `official.published` for version 1, `official.corrected` for those after it.
             * @enum {string}
             */
            type: "official.published" | "official.corrected";
            /**
             * Format: date-time
             * @description When this version was retrieved, UTC.
             * @example 2026-04-13T18:05:11Z
             */
            created_at: string;
            /** @description What it is about. Rates are fetched by these names. */
            data: {
                /**
                 * @description ISO 3166-1 alpha-3 code of the authority's country, upper case; `EUE` for the European Union.
                 * @example MEX
                 */
                country: string;
                /**
                 * @description Every type by which the table is found below its country, the plainest first.
                 * @example [
                 *       "fix",
                 *       "banxico"
                 *     ]
                 */
                types: string[];
                /**
                 * @description Name of the publication: the authority's own where it has one (slashes as hyphens), else its date or period.
                 * @example 2026-04-13
                 */
                publication: string;
                /**
                 * Format: int64
                 * @description 1 for the first, one more with every correction by the authority.
                 * @example 1
                 */
                version: number;
                /**
                 * Format: date
                 * @description First day of validity, by the calendar of its zone.
                 * @example 2026-04-13
                 */
                valid_from: string;
                /**
                 * Format: date
                 * @description Last day of validity; null: valid until the next publication.
                 * @example null
                 */
                valid_to: string | null;
            };
        };
        /** @description Every publication of one official table. */
        OfficialFile: {
            /**
             * @description Below `/v1/lake/`. What is under this name never changes; a file that was replaced stays for a day at the least.
             * @example official/table_id=mex_fix/part-6f1c0a52-2f0e-4e43-9d0a-7b1f5b0f6c1d.parquet
             */
            path: string;
            /**
             * @description Below `/v1/lake/`: the fixed name of the newest file.
             * @example current/official/table_id=mex_fix/publications.parquet
             */
            current: string;
            /**
             * Format: int64
             * @description Rows in the file.
             * @example 8612
             */
            rows: number;
            /**
             * Format: int64
             * @description Size of the file.
             * @example 96120
             */
            bytes: number;
            /**
             * @description Digest of the file in hex; its `ETag`.
             * @example 1f0b30e8ff9f6d1f5d0bb6f2b8d9c1f01f0b30e8ff9f6d1f5d0bb6f2b8d9c1f0
             */
            sha256: string;
            /** @description Range of the publications' first days. */
            valid_from: {
                /**
                 * Format: date
                 * @description Earliest first day of a publication.
                 * @example 1991-11-12
                 */
                first: string;
                /**
                 * Format: date
                 * @description Latest first day of a publication.
                 * @example 2026-04-13
                 */
                last: string;
            };
        };
        /** @description The table of a day. */
        OfficialInForceResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description ISO 3166-1 alpha-3 code of the authority's country, upper case; `EUE` for the European Union.
             * @example MEX
             */
            country: string;
            /**
             * @description The type that was requested, lower case.
             * @example fix
             */
            type: string;
            /**
             * @description Every type by which the table is found below its country, the plainest first.
             * @example [
             *       "fix",
             *       "banxico"
             *     ]
             */
            types: string[];
            /**
             * Format: date
             * @description The day, on the calendar of the table's zone.
             * @example 2026-04-13
             */
            on: string;
            /** @description The newest validity first, then by base, quote and kind. */
            rows: components["schemas"]["OfficialValidRate"][];
            /**
             * @description Those of `symbols` without a row here.
             * @example []
             */
            missing_symbols: string[];
            /**
             * @description Who publishes it.
             * @example Banco de México
             */
            authority: string;
            /**
             * @description Attribution and terms of the authority; to be passed on with the rates.
             * @example Source: Banco de México, Sistema de Información Económica, reproduced as published.
             */
            terms: string;
            /**
             * @description Reminder that rates are indicative, and that the authority's own publication prevails. It starts with SIMULATED on made-up data.
             * @example Indicative mid rates for information only; not for settlement, trading or use as a source of record. Official rates as their authority published them; its own publication prevails.
             */
            notice: string;
        };
        /** @description What the lake holds of official tables. */
        OfficialManifest: {
            /**
             * Format: int64
             * @description Version of the layout.
             * @example 2
             */
            format: number;
            /**
             * @description `simulated` in the demo, where only the history of the ECB that it began with is real.
             * @enum {string}
             */
            mode: "real" | "simulated";
            /**
             * Format: int64
             * @description Version of the Delta table: one more with every change of its files.
             * @example 8120
             */
            version: number;
            /** @description Every official table, by its id. */
            files: components["schemas"]["OfficialFile"][];
        };
        /** @description A publication in its newest version, without its rates. */
        OfficialPublicationEntry: {
            /**
             * @description Name of the publication: the authority's own where it has one (slashes as hyphens), else its date or period.
             * @example 2026-04-13
             */
            publication: string;
            /**
             * Format: int64
             * @description 1 for the first, one more with every correction by the authority.
             * @example 1
             */
            version: number;
            /**
             * Format: date
             * @description First day of validity, by the calendar of its zone.
             * @example 2026-04-13
             */
            valid_from: string;
            /**
             * Format: date
             * @description Last day of validity; null: valid until the next publication.
             * @example null
             */
            valid_to: string | null;
            /**
             * Format: date-time
             * @description When the authority published it, UTC; null where not stated.
             * @example null
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @description When this server retrieved it, UTC.
             * @example 2026-04-13T18:05:11Z
             */
            retrieved_at: string;
        };
        /** @description A whole publication. */
        OfficialPublicationResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description ISO 3166-1 alpha-3 code of the authority's country, upper case; `EUE` for the European Union.
             * @example MEX
             */
            country: string;
            /**
             * @description The type that was requested, lower case.
             * @example fix
             */
            type: string;
            /**
             * @description Every type by which the table is found below its country, the plainest first.
             * @example [
             *       "fix",
             *       "banxico"
             *     ]
             */
            types: string[];
            /**
             * @description Name of the publication: the authority's own where it has one (slashes as hyphens), else its date or period.
             * @example 2026-04-13
             */
            publication: string;
            /**
             * Format: int64
             * @description 1 for the first, one more with every correction by the authority.
             * @example 1
             */
            version: number;
            /**
             * Format: date
             * @description First day of validity, by the calendar of its zone.
             * @example 2026-04-13
             */
            valid_from: string;
            /**
             * Format: date
             * @description Last day of validity; null: valid until the next publication.
             * @example null
             */
            valid_to: string | null;
            /**
             * Format: date-time
             * @description When the authority published it, UTC; null where not stated.
             * @example null
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @description When this server retrieved it, UTC.
             * @example 2026-04-13T18:05:11Z
             */
            retrieved_at: string;
            /** @description Every version, ascending; all of them remain readable. */
            versions: components["schemas"]["OfficialVersion"][];
            /**
             * @description Who publishes it.
             * @example Banco de México
             */
            authority: string;
            /**
             * Format: uri
             * @description Address of the document that this version was read from, without credentials.
             * @example https://www.banxico.org.mx/SieAPIRest/service/v1/series/SF43718/datos/2026-04-13/2026-04-13
             */
            source_url: string;
            /**
             * @description SHA-256 of that document, in hex.
             * @example 3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f
             */
            document_sha256: string;
            /** @description Its rates, by base, quote and kind. */
            rows: components["schemas"]["OfficialRate"][];
            /**
             * @description Attribution and terms of the authority; to be passed on with the rates.
             * @example Source: Banco de México, Sistema de Información Económica, reproduced as published.
             */
            terms: string;
            /**
             * @description Reminder that rates are indicative, and that the authority's own publication prevails. It starts with SIMULATED on made-up data.
             * @example Indicative mid rates for information only; not for settlement, trading or use as a source of record. Official rates as their authority published them; its own publication prevails.
             */
            notice: string;
        };
        /** @description Publications. */
        OfficialPublicationsResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description ISO 3166-1 alpha-3 code of the authority's country, upper case; `EUE` for the European Union.
             * @example MEX
             */
            country: string;
            /**
             * @description The type that was requested, lower case.
             * @example fix
             */
            type: string;
            /**
             * @description Every type by which the table is found below its country, the plainest first.
             * @example [
             *       "fix",
             *       "banxico"
             *     ]
             */
            types: string[];
            /** @description Each in its newest version, the newest validity first. */
            publications: components["schemas"]["OfficialPublicationEntry"][];
            /**
             * @description True when another page follows.
             * @example false
             */
            has_more: boolean;
            /**
             * @description The `cursor` of the next page; null on the last.
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Reminder that rates are indicative, and that the authority's own publication prevails. It starts with SIMULATED on made-up data.
             * @example Indicative mid rates for information only; not for settlement, trading or use as a source of record. Official rates as their authority published them; its own publication prevails.
             */
            notice: string;
        };
        /** @description One rate of a publication. */
        OfficialRate: {
            /**
             * @description ISO 4217 code; also of currencies outside the catalog.
             * @example USD
             */
            base: string;
            /**
             * @description ISO 4217 code of the currency that the rate is in.
             * @example MXN
             */
            quote: string;
            /**
             * Format: double
             * @description `unit` units of `base` are this many units of `quote`, with the digits as printed.
             * @example 17.3485
             */
            rate: number;
            /**
             * Format: int64
             * @description By how many units the table counts the currency: 1, 10, 100, …
             * @example 1
             */
            unit: number;
            /**
             * @description `mid`: a mean of the market or a rate set. `buy`, `sell`: what is paid and charged for the currency. `average`: the mean of a period.
             * @enum {string}
             */
            kind: "mid" | "buy" | "sell" | "average";
        };
        /** @description Rates of a table over a time. */
        OfficialRatesResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description ISO 3166-1 alpha-3 code of the authority's country, upper case; `EUE` for the European Union.
             * @example MEX
             */
            country: string;
            /**
             * @description The type that was requested, lower case.
             * @example fix
             */
            type: string;
            /**
             * @description Every type by which the table is found below its country, the plainest first.
             * @example [
             *       "fix",
             *       "banxico"
             *     ]
             */
            types: string[];
            /**
             * Format: date
             * @description First day, of the table's zone.
             * @example 2026-04-13
             */
            start_date: string;
            /**
             * Format: date
             * @description Last day.
             * @example 2026-04-13
             */
            end_date: string;
            /** @description The newest validity first, then by base, quote and kind. */
            rows: components["schemas"]["OfficialValidRate"][];
            /**
             * @description Those of `symbols` without a row here.
             * @example []
             */
            missing_symbols: string[];
            /**
             * @description Who publishes it.
             * @example Banco de México
             */
            authority: string;
            /**
             * @description Attribution and terms of the authority; to be passed on with the rates.
             * @example Source: Banco de México, Sistema de Información Económica, reproduced as published.
             */
            terms: string;
            /**
             * @description Reminder that rates are indicative, and that the authority's own publication prevails. It starts with SIMULATED on made-up data.
             * @example Indicative mid rates for information only; not for settlement, trading or use as a source of record. Official rates as their authority published them; its own publication prevails.
             */
            notice: string;
            /**
             * @description Publications of the window that this server holds back until its operator decides: they have no row, and a question for one of their days is refused. Absent where there is none; of files the header `X-Held-Publications`.
             * @example [
             *       "2026-04-10"
             *     ]
             */
            held_publications?: string[];
            /**
             * @description True when another page follows.
             * @example false
             */
            has_more: boolean;
            /**
             * @description The `cursor` of the next page; null on the last.
             * @example null
             */
            next_cursor: string | null;
        };
        /** @description A table of an authority. */
        OfficialTable: {
            /**
             * @description Id of the table; the middle of event ids.
             * @example mex_fix
             */
            id: string;
            /**
             * @description ISO 3166-1 alpha-3 code of the authority's country, upper case; `EUE` for the European Union.
             * @example MEX
             */
            country: string;
            /**
             * @description Every type by which the table is found below its country, the plainest first.
             * @example [
             *       "fix",
             *       "banxico"
             *     ]
             */
            types: string[];
            /**
             * @description What it holds.
             * @example FIX: pesos per US dollar, by day of determination
             */
            title: string;
            /**
             * @description Who publishes it.
             * @example Banco de México
             */
            authority: string;
            /**
             * @description How often it is published.
             * @enum {string}
             */
            cadence: "daily" | "weekly" | "monthly" | "quarterly";
            /**
             * @description The currency that all its rates are in, or are of.
             * @example MXN
             */
            currency: string;
            /**
             * @description IANA name of the zone in which its days are counted.
             * @example America/Mexico_City
             */
            zone: string;
            /**
             * Format: uri
             * @description The authority's own page about it.
             * @example https://www.banxico.org.mx/tipcamb/main.do?page=tip&idioma=en
             */
            homepage: string;
            /**
             * @description Attribution and terms of the authority; to be passed on with the rates.
             * @example Source: Banco de México, Sistema de Información Económica, reproduced as published.
             */
            terms: string;
            /**
             * @description False where this server is not set up to collect it and has nothing of it.
             * @example true
             */
            collected: boolean;
            /** @description The publication of the newest validity, which may lie ahead; null before the first, and while it is damaged in this server's store. */
            newest: components["schemas"]["OfficialPublicationEntry"] | null;
        };
        /** @description Official tables. */
        OfficialTablesResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /** @description Every table that this server offers. */
            tables: components["schemas"]["OfficialTable"][];
            /**
             * Format: int64
             * @description Number of tables.
             * @example 1
             */
            count: number;
            /**
             * @description Reminder that rates are indicative, and that the authority's own publication prevails. It starts with SIMULATED on made-up data.
             * @example Indicative mid rates for information only; not for settlement, trading or use as a source of record. Official rates as their authority published them; its own publication prevails.
             */
            notice: string;
        };
        /** @description One rate with its validity and its origin. */
        OfficialValidRate: {
            /**
             * @description ISO 4217 code; also of currencies outside the catalog.
             * @example USD
             */
            base: string;
            /**
             * @description ISO 4217 code of the currency that the rate is in.
             * @example MXN
             */
            quote: string;
            /**
             * Format: double
             * @description `unit` units of `base` are this many units of `quote`, with the digits as printed.
             * @example 17.3485
             */
            rate: number;
            /**
             * Format: int64
             * @description By how many units the table counts the currency: 1, 10, 100, …
             * @example 1
             */
            unit: number;
            /**
             * @description `mid`: a mean of the market or a rate set. `buy`, `sell`: what is paid and charged for the currency. `average`: the mean of a period.
             * @enum {string}
             */
            kind: "mid" | "buy" | "sell" | "average";
            /**
             * @description Name of the publication: the authority's own where it has one (slashes as hyphens), else its date or period.
             * @example 2026-04-13
             */
            publication: string;
            /**
             * Format: int64
             * @description 1 for the first, one more with every correction by the authority.
             * @example 1
             */
            version: number;
            /**
             * Format: date
             * @description First day of validity, by the calendar of its zone.
             * @example 2026-04-13
             */
            valid_from: string;
            /**
             * Format: date
             * @description Last day of validity; null: valid until the next publication.
             * @example null
             */
            valid_to: string | null;
            /**
             * Format: date-time
             * @description When the authority published it, UTC; null where not stated.
             * @example null
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @description When this server retrieved it, UTC.
             * @example 2026-04-13T18:05:11Z
             */
            retrieved_at: string;
            /**
             * Format: uri
             * @description Address of the document that this version was read from, without credentials.
             * @example https://www.banxico.org.mx/SieAPIRest/service/v1/series/SF43718/datos/2026-04-13/2026-04-13
             */
            source_url: string;
            /**
             * @description SHA-256 of that document, in hex.
             * @example 3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f
             */
            document_sha256: string;
            /**
             * @description One line with everything that finds the rate again.
             * @example Banco de México: FIX: pesos per US dollar, by day of determination, 2026-04-13, version 1, 1 USD = 17.3485 MXN, retrieved 2026-04-13T18:05:11Z, https://www.banxico.org.mx/SieAPIRest/service/v1/series/SF43718/datos/2026-04-13/2026-04-13
             */
            citation: string;
        };
        /** @description A version that can be read. */
        OfficialVersion: {
            /**
             * Format: int64
             * @description 1 for the first, one more with every correction by the authority.
             * @example 1
             */
            version: number;
            /**
             * Format: date-time
             * @description When this server retrieved it, UTC.
             * @example 2026-04-13T18:05:11Z
             */
            retrieved_at: string;
        };
        /** @description An OpenAPI document. */
        OpenApiDocument: {
            /**
             * @description Version of OpenAPI.
             * @example 3.1.0
             */
            openapi: string;
        } & {
            [key: string]: unknown;
        };
        /** @description The rates of one period. */
        OxrBar: {
            /**
             * Format: double
             * @description First rate of the period.
             * @example 0.8558
             */
            open: number;
            /**
             * Format: double
             * @description Highest.
             * @example 0.8558
             */
            high: number;
            /**
             * Format: double
             * @description Lowest.
             * @example 0.8558
             */
            low: number;
            /**
             * Format: double
             * @description Last.
             * @example 0.8558
             */
            close: number;
            /**
             * Format: double
             * @description Arithmetic mean of all.
             * @example 0.8558
             */
            average: number;
        };
        /** @description An amount in another currency. */
        OxrConversion: {
            /**
             * @description What the rates are for; it starts with SIMULATED where a rate is simulated, and says which.
             * @example Indicative mid rates for information only; not for settlement, trading or use as a source of record. Daily reference rates: published once a day, not live.
             */
            disclaimer: string;
            /**
             * @description Who published the figures.
             * @example Figures of the European Central Bank, the Federal Reserve Board (H.10) and the configured live feed, each under its own terms. Not provided by Open Exchange Rates.
             */
            license: string;
            /** @description The request. */
            request: {
                /**
                 * @description The path.
                 * @example /convert/100/USD/EUR
                 */
                query: string;
                /**
                 * Format: double
                 * @description The amount.
                 * @example 100
                 */
                amount: number;
                /**
                 * @description Currency of the amount.
                 * @example USD
                 */
                from: components["schemas"]["CurrencyCode"];
                /**
                 * @description Currency wanted.
                 * @example EUR
                 */
                to: components["schemas"]["CurrencyCode"];
            };
            /** @description The rate used. */
            meta: {
                /**
                 * Format: int64
                 * @description Time of the newest observation in the rate, Unix seconds.
                 * @example 1776082500
                 */
                timestamp: number;
                /**
                 * Format: double
                 * @description Units of the target currency per 1 unit of the base. A direct rate is printed as published; an inverse or a cross is exact arithmetic on the published figures, rounded half-even to 10 significant digits.
                 * @example 0.855871277
                 */
                rate: number;
            };
            /**
             * Format: double
             * @description The amount times the rate.
             * @example 85.5871277
             */
            response: number;
        };
        /**
         * @description English names from ISO 4217 by currency code.
         * @example {
         *       "EUR": "Euro",
         *       "USD": "US Dollar"
         *     }
         */
        OxrCurrencies: {
            [key: string]: string;
        };
        /** @description A rate with `show_bid_ask`. */
        OxrMid: {
            /**
             * Format: double
             * @description The rate.
             * @example 0.855871277
             */
            mid: number;
        };
        /** @description Open, high, low, close and average of a period. */
        OxrOhlc: {
            /**
             * @description What the rates are for; it starts with SIMULATED where a rate is simulated, and says which.
             * @example Indicative mid rates for information only; not for settlement, trading or use as a source of record. Daily reference rates: published once a day, not live.
             */
            disclaimer: string;
            /**
             * @description Who published the figures.
             * @example Figures of the European Central Bank, the Federal Reserve Board (H.10) and the configured live feed, each under its own terms. Not provided by Open Exchange Rates.
             */
            license: string;
            /**
             * Format: date-time
             * @description First second of the period.
             * @example 2026-04-13T12:00:00Z
             */
            start_time: string;
            /**
             * Format: date-time
             * @description Last second of the period.
             * @example 2026-04-13T12:29:59Z
             */
            end_time: string;
            /**
             * @description Base currency.
             * @example USD
             */
            base: components["schemas"]["CurrencyCode"];
            /**
             * @description Bars by currency, units per 1 base.
             * @example {
             *       "EUR": {
             *         "open": 0.8558,
             *         "high": 0.8562,
             *         "low": 0.8557,
             *         "close": 0.856,
             *         "average": 0.8559
             *       }
             *     }
             */
            rates: {
                [key: string]: components["schemas"]["OxrBar"];
            };
        };
        /** @description A rate; with `show_bid_ask` as an object. */
        OxrRate: number | components["schemas"]["OxrMid"];
        /** @description The rates of an instant or a day. */
        OxrRates: {
            /**
             * @description What the rates are for; it starts with SIMULATED where a rate is simulated, and says which.
             * @example Indicative mid rates for information only; not for settlement, trading or use as a source of record. Daily reference rates: published once a day, not live.
             */
            disclaimer: string;
            /**
             * @description Who published the figures.
             * @example Figures of the European Central Bank, the Federal Reserve Board (H.10) and the configured live feed, each under its own terms. Not provided by Open Exchange Rates.
             */
            license: string;
            /**
             * Format: int64
             * @description Time of the newest observation that contributes to one of the rates, Unix seconds.
             * @example 1776082500
             */
            timestamp: number;
            /**
             * @description Base currency.
             * @example USD
             */
            base: components["schemas"]["CurrencyCode"];
            /**
             * @description Units of each currency per 1 base; `{mid}` each with `show_bid_ask`.
             * @example {
             *       "EUR": 0.855871277,
             *       "GBP": 0.7457206436
             *     }
             */
            rates: {
                [key: string]: components["schemas"]["OxrRate"];
            };
        };
        /** @description A refusal in the form of Open Exchange Rates. */
        OxrRefusal: {
            /**
             * @description Always true.
             * @constant
             */
            error: true;
            /**
             * Format: int64
             * @description HTTP status.
             * @example 400
             */
            status: number;
            /**
             * @description Code of the fault.
             * @example invalid_base
             */
            message: string;
            /**
             * @description What is wrong and what to do.
             * @example unsupported base: XYZ; see currencies.json
             */
            description: string;
        };
        /** @description The rates of every day of a window. */
        OxrTimeSeries: {
            /**
             * @description What the rates are for; it starts with SIMULATED where a rate is simulated, and says which.
             * @example Indicative mid rates for information only; not for settlement, trading or use as a source of record. Daily reference rates: published once a day, not live.
             */
            disclaimer: string;
            /**
             * @description Who published the figures.
             * @example Figures of the European Central Bank, the Federal Reserve Board (H.10) and the configured live feed, each under its own terms. Not provided by Open Exchange Rates.
             */
            license: string;
            /**
             * Format: date
             * @description First day requested.
             * @example 2026-04-10
             */
            start_date: string;
            /**
             * Format: date
             * @description Last day requested.
             * @example 2026-04-11
             */
            end_date: string;
            /**
             * @description Base currency.
             * @example USD
             */
            base: components["schemas"]["CurrencyCode"];
            /**
             * @description The rates by day, ascending.
             * @example {
             *       "2026-04-10": {
             *         "EUR": 0.856824608,
             *         "GBP": 0.7462085511
             *       },
             *       "2026-04-11": {
             *         "EUR": 0.856824608,
             *         "GBP": 0.7462085511
             *       }
             *     }
             */
            rates: {
                [key: string]: {
                    [key: string]: number;
                };
            };
        };
        /** @description Plan and usage. */
        OxrUsage: {
            /**
             * Format: int64
             * @description HTTP status.
             * @example 200
             */
            status: number;
            /** @description Plan and usage. */
            data: {
                /**
                 * @description As sent; empty without one.
                 * @example any
                 */
                app_id: string;
                /**
                 * @description Always `active`.
                 * @example active
                 */
                status: string;
                /** @description The plan. */
                plan: {
                    /**
                     * @description Name of the plan.
                     * @example Self-hosted
                     */
                    name: string;
                    /**
                     * @description Its quota, as text; `unlimited` where nothing is limited.
                     * @example unlimited
                     */
                    quota: string;
                    /**
                     * @description How often rates change.
                     * @example daily
                     */
                    update_frequency: string;
                    /** @description What can be requested. */
                    features: {
                        /**
                         * @description Any base.
                         * @example true
                         */
                        base: boolean;
                        /**
                         * @description Some currencies only.
                         * @example true
                         */
                        symbols: boolean;
                        /**
                         * @description Experimental features: none.
                         * @example false
                         */
                        experimental: boolean;
                        /**
                         * @description time-series.json
                         * @example true
                         */
                        "time-series": boolean;
                        /**
                         * @description convert
                         * @example true
                         */
                        convert: boolean;
                        /**
                         * @description Bid and ask prices: none.
                         * @example false
                         */
                        "bid-ask": boolean;
                        /**
                         * @description ohlc.json: where there are intraday quotes.
                         * @example true
                         */
                        ohlc: boolean;
                    };
                };
                /** @description The month so far. */
                usage: {
                    /**
                     * Format: int64
                     * @description Calls of the month before this one; -1 where a month has no limit.
                     * @example -1
                     */
                    requests: number;
                    /**
                     * Format: int64
                     * @description Calls allowed; -1: no limit.
                     * @example -1
                     */
                    requests_quota: number;
                    /**
                     * Format: int64
                     * @description Calls left; -1: no limit.
                     * @example -1
                     */
                    requests_remaining: number;
                    /**
                     * Format: int64
                     * @description Days since the month began.
                     * @example 12
                     */
                    days_elapsed: number;
                    /**
                     * Format: int64
                     * @description Days until the next.
                     * @example 18
                     */
                    days_remaining: number;
                    /**
                     * Format: int64
                     * @description Calls of a day that has begun; -1 where a month has no limit.
                     * @example -1
                     */
                    daily_average: number;
                };
            };
        };
        /** @description A new password. */
        PasswordRequest: {
            /**
             * @description The present password.
             * @example seven kites above Delft
             */
            current: string;
            /**
             * @description The new one: 10 to 200 characters of any kind.
             * @example eleven kites over Gouda
             */
            new: string;
        };
        /** @description A link's token and the new password. */
        PasswordResetRequest: {
            /**
             * @description The token of a mailed link: what follows `#token=`. It works once.
             * @example fxo_Example0Example0Example0Example0Example0Example0Example000
             */
            token: string;
            /**
             * @description The new password: 10 to 200 characters of any kind.
             * @example eleven kites over Gouda
             */
            new: string;
        };
        /** @description The password is set. */
        PasswordSetResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description The new password counts from now on.
             * @example true
             */
            password_set: boolean;
        };
        /** @description A refusal as RFC 9457 problem details, sent when requested with `Accept`. */
        Problem: {
            /**
             * Format: uri-reference
             * @description Address of the code's description.
             * @example urn:crossrate:error:unsupported_base
             */
            type: string;
            /**
             * @description The code as text.
             * @example unsupported base
             */
            title: string;
            /**
             * Format: int64
             * @description HTTP status.
             * @example 400
             */
            status: number;
            /**
             * @description The envelope's `message`.
             * @example unsupported base: XYZ
             */
            detail: string;
            code: components["schemas"]["ErrorCode"];
            /**
             * @description Every member of the body, or parameter, that does not have the documented shape.
             * @example [
             *       {
             *         "path": "/from",
             *         "message": "is missing"
             *       }
             *     ]
             */
            errors?: components["schemas"]["ValidationIssue"][];
            /**
             * @description The caller's plan; `anonymous` without a key.
             * @example free
             */
            tier?: string;
            /**
             * @description Width of the rows that were requested.
             * @example 1d
             */
            interval?: string;
            /**
             * Format: int64
             * @description Days of history that the plan includes, today among them.
             * @example 30
             */
            history_days?: number;
            /**
             * Format: date
             * @description First day that the plan includes.
             * @example 2026-03-15
             */
            earliest_allowed?: string;
            /**
             * @description Plans that include the date, from the smallest to the largest.
             * @example [
             *       "plus",
             *       "pro"
             *     ]
             */
            upgrade_plans?: string[];
            /**
             * @description The same plans, each with what it lacks.
             * @example [
             *       {
             *         "plan": "pro",
             *         "loses": []
             *       }
             *     ]
             */
            upgrade_offers?: components["schemas"]["UpgradeOffer"][];
            /**
             * Format: uri
             * @description The page with the plans and their prices.
             * @example https://rates.example/pricing
             */
            upgrade_url?: string;
        };
        /** @description The data file that has a figure. */
        ProofFile: {
            /**
             * @description Below `/v1/lake/`.
             * @example daily/source=ecb_daily/year=2026/part-6f1c0a52-2f0e-4e43-9d0a-7b1f5b0f6c1d.parquet
             */
            path: string;
            /**
             * Format: int64
             * @description Its size.
             * @example 48213
             */
            bytes: number;
            /**
             * @description Its SHA-256, as in `files`.
             * @example 1f0b1f0b1f0b1f0b1f0b1f0b1f0b1f0b1f0b1f0b1f0b1f0b1f0b1f0b1f0b1f0b
             */
            sha256: string;
        };
        /** @description A figure that the rate is made of. */
        ProofLeg: {
            /**
             * @description What the figure does in the computation.
             * @example multiply
             * @enum {string}
             */
            operation: "multiply" | "divide";
            /**
             * @description The least fresh contributing source: that of the oldest observation.
             * @example ecb_daily
             */
            source: components["schemas"]["Source"];
            /**
             * Format: date
             * @description Day of the figure.
             * @example 2026-04-10
             */
            date: string;
            /**
             * @description 1 unit of this currency …
             * @example EUR
             */
            base: components["schemas"]["CurrencyCode"];
            /**
             * @description … is `value` units of this one.
             * @example USD
             */
            quote: components["schemas"]["CurrencyCode"];
            /**
             * Format: double
             * @description The figure as published: `printed` of its row in the file.
             * @example 1.1671
             */
            value: number;
            /**
             * Format: int64
             * @description 1 for the first value of the figure, one more for each change.
             * @example 1
             */
            revision: number;
            file: components["schemas"]["ProofFile"];
        };
        /** @description What a sign-up may say of itself. All of it is optional. */
        ProvisionRequest: {
            /**
             * @description Where the sign-up came from: at most 20 texts of at most 200 characters, by names of at most 64 in ASCII. Kept from the call that makes the organization.
             * @example {
             *       "utm_source": "newsletter",
             *       "referrer": "https://example.com/"
             *     }
             */
            signup_attribution?: {
                [key: string]: string;
            };
            /**
             * @description Whether news may be sent to the person. Kept from the first call.
             * @default false
             * @example false
             */
            marketing_consent: boolean;
        };
        /** @description A file of quotes that the operator imported. */
        QuoteImport: {
            /**
             * @description Its name.
             * @example DAT_ASCII_EURUSD_M1_2025.csv
             */
            file: string;
            /**
             * @description SHA-256 of the file, hexadecimal.
             * @example 0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c
             */
            sha256: string;
            /**
             * @description What the operator says of its origin; else null.
             * @example HistData.com
             */
            label: string | null;
            /**
             * @description Base of its quotes.
             * @example EUR
             */
            base: components["schemas"]["CurrencyCode"];
            /**
             * @description Quote currency of them.
             * @example USD
             */
            quote: components["schemas"]["CurrencyCode"];
            /**
             * @description What it has: `both` is bid and ask, with their mean as mid. Of a file with `bid` or `ask` alone bars are of these prices.
             * @example bid
             * @enum {string}
             */
            price: "bid" | "ask" | "mid" | "both";
            /**
             * @description `minutes`: it has the open, high, low and close of each minute.
             * @example minutes
             * @enum {string}
             */
            rows: "minutes" | "ticks";
            /**
             * Format: date-time
             * @description Its first quote, UTC.
             * @example 2025-01-01T22:05:00Z
             */
            first: string;
            /**
             * Format: date-time
             * @description Its last quote, UTC.
             * @example 2025-12-31T21:59:59.999Z
             */
            last: string;
            /**
             * Format: date-time
             * @description When it was imported, UTC.
             * @example 2026-04-13T16:30:00Z
             */
            imported_at: string;
        };
        /** @description A page; with `estimate=1` what a file would be instead. */
        RangeOrEstimate: components["schemas"]["RangeResponse"] | components["schemas"]["ExportEstimate"];
        /** @description One page of a time series. */
        RangeResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description Currency that the rates are for 1 unit of.
             * @example USD
             */
            base: components["schemas"]["CurrencyCode"];
            /**
             * @description Currencies requested, in the order given; all but the base for `*`.
             * @example [
             *       "EUR",
             *       "GBP"
             *     ]
             */
            symbols: components["schemas"]["CurrencyCode"][];
            /**
             * Format: date
             * @description First day requested.
             * @example 2026-04-09
             */
            start_date: string;
            /**
             * Format: date
             * @description Last day requested.
             * @example 2026-04-13
             */
            end_date: string;
            /**
             * @description The `interval` requested: the time of a row. Absent on rows of daily rates.
             * @example 1w
             * @enum {string}
             */
            interval?: "1m" | "5m" | "15m" | "1h" | "1d" | "1w" | "1mo" | "1q" | "1y";
            /**
             * @description With `interval=1w`, `1mo`, `1q` or `1y`: how the values of the days became one.
             * @example last
             * @enum {string}
             */
            aggregate?: "last" | "mean";
            /**
             * @description Bars with `side=bid` or `ask` only: the price that counts.
             * @example bid
             * @enum {string}
             */
            side?: "mid" | "bid" | "ask";
            /**
             * @description The least fresh contributing source of the page; null on a page without rates.
             * @example ecb_daily
             */
            source: components["schemas"]["Source"] | null;
            /**
             * @description Source of each symbol's own figure in its oldest rate on the page, and of the base's where one contributes.
             * @example {
             *       "EUR": "ecb_daily",
             *       "GBP": "ecb_daily"
             *     }
             */
            sources: {
                [key: string]: components["schemas"]["Source"];
            };
            /**
             * @description Only in the demo: the currencies whose rate rests on a simulated figure. Absent where there is none: a rate that is not named is real.
             * @example {
             *       "TWD": true
             *     }
             */
            simulated?: {
                [key: string]: boolean;
            };
            /** @example open */
            market_session: components["schemas"]["MarketSession"];
            /**
             * Format: date-time
             * @description When the answer was served, UTC, to the second.
             * @example 2026-04-13T16:30:00Z
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description Oldest observation of it, UTC, or null.
             * @example 2026-04-09T12:15:00Z
             */
            data_updated_at: string | null;
            /**
             * @description Currencies requested that have no value here, those of the catalog where all were; absent where there is none.
             * @example [
             *       "ISK"
             *     ]
             */
            missing_symbols?: components["schemas"]["CurrencyCode"][];
            /**
             * @description Currencies with a rate that is triangulated through a third currency. An inverse is not triangulated.
             * @example [
             *       "GBP"
             *     ]
             */
            derived_symbols: components["schemas"]["CurrencyCode"][];
            /**
             * @description Reminder that rates are indicative and not for settlement. It starts with SIMULATED where a rate is simulated, and says which.
             * @example Indicative mid rates for information only; not for settlement, trading or use as a source of record. Daily reference rates: published once a day, not live.
             */
            notice: string;
            /** @description Only where `source` is `imported`: the files that the page rests on. */
            imports?: components["schemas"]["QuoteImport"][];
            /**
             * Format: date-time
             * @description With `as_of`: the instant that limits what the answer knows.
             * @example 2026-04-13T16:00:00Z
             */
            as_of?: string;
            /**
             * @description With `as_of`: how knowledge is dated. `published`: what the world could know, by the publication instant where the authority states one, by the publication schedule for the first value of a day, by retrieval for a correction. `retrieved`: what this very server held.
             * @example published
             * @enum {string}
             */
            as_of_basis?: "published" | "retrieved";
            /**
             * @description With `as_of`: true when a contributing figure came to this server only after that instant, so a value that the authority had replaced in between is not known.
             * @example false
             */
            as_of_reconstructed?: boolean;
            /**
             * @description With `updated_after`: what was sent.
             * @example 2026-04-13T14:00:00Z
             */
            updated_after?: string;
            /**
             * @description With `updated_after`: what to send as `updated_after` next time. An opaque token of the version of the lake, not a time: what is committed later is in the next answer, whatever clocks say. It does not expire. The same on every page.
             * @example v1-mnxais2o-fv0-87e64f70
             */
            sync_from?: string;
            /** @description One row a day, week, month, quarter or year, by date in the `order` requested. */
            data: components["schemas"]["RangeRow"][];
            /**
             * @description True when more rows follow this page.
             * @example true
             */
            has_more: boolean;
            /**
             * @description Send it back as `cursor`, everything else unchanged, for the next page; null on the last one.
             * @example MjAyNi0wNC0xMy5hMWIyYzM.bW9yZSByb3dzIGZvbGxvdw
             */
            next_cursor: string | null;
        };
        /** @description The rates of one day, week, month, quarter, year or bar. */
        RangeRow: {
            /**
             * Format: date
             * @description Day of the row, UTC; of a week, month, quarter or year its first day.
             * @example 2026-04-09
             */
            date: string;
            /**
             * @description The least fresh contributing source of the row; null only with `updated_after`, on a row with only withdrawn values.
             * @example ecb_daily
             */
            source: components["schemas"]["Source"] | null;
            /**
             * @description True when any contributing figure is of an earlier day than `date`: at most 14 days earlier.
             * @example false
             */
            is_forward_filled: boolean;
            /**
             * @description Units of the currency per 1 unit of `base`; a currency without a value that day is absent, with `updated_after` one without a change too. A mean has 10 significant digits.
             * @example {
             *       "EUR": 0.858000858,
             *       "GBP": 0.7466323466
             *     }
             */
            rates: {
                [key: string]: number;
            };
            /**
             * @description Rows of a week, month, quarter or year only: the last day that counts in each rate.
             * @example {
             *       "EUR": "2026-04-10",
             *       "GBP": "2026-04-10"
             *     }
             */
            last_dates?: {
                [key: string]: string;
            };
            /**
             * @description With `updated_after`: latest retrieval among the figures that the rate rests on, UTC.
             * @example {
             *       "EUR": "2026-04-13T14:31:00Z"
             *     }
             */
            updated_at?: {
                [key: string]: string;
            };
            /**
             * @description With `updated_after`: highest revision among the figures that the rate rests on; 1 where nothing was corrected.
             * @example {
             *       "EUR": 1
             *     }
             */
            revisions?: {
                [key: string]: number;
            };
            /**
             * @description With `updated_after`: currencies that have no value on this day any more; delete what you hold.
             * @example [
             *       "GBP"
             *     ]
             */
            withdrawn?: components["schemas"]["CurrencyCode"][];
            /**
             * Format: date-time
             * @description Bars only: first instant of the bar, UTC; its day is `date`.
             * @example 2026-04-13T14:05:00Z
             */
            start?: string;
            /**
             * @description On the row of a bar that is not over: false. Its figures still change.
             * @example false
             */
            is_complete?: boolean;
            /**
             * @description Rows of bars only: the bar of each symbol that was quoted in it; `rates` has the closes.
             * @example {
             *       "EUR": {
             *         "open": 0.85581,
             *         "high": 0.85602,
             *         "low": 0.85577,
             *         "close": 0.85596,
             *         "mean": 0.8559,
             *         "ticks": 5
             *       }
             *     }
             */
            bars?: {
                [key: string]: components["schemas"]["Bar"];
            };
        };
        /** @description The exact arithmetic of a rate. */
        RateComputation: {
            /**
             * @description The rate in figures as published.
             * @example 0.8709 / 1.1671
             */
            expression: string;
            /**
             * @description The same as a fraction of whole numbers: above.
             * @example 8709
             */
            numerator: string;
            /**
             * @description Below.
             * @example 11671
             */
            denominator: string;
            /**
             * Format: int64
             * @description The quotient is rounded half-even to so many significant digits; null where the rate is printed as published.
             * @example 10
             */
            significant_digits: number | null;
            /**
             * @description The same for people, a step a line.
             * @example [
             *       "1 EUR = 0.8709 GBP (ecb_daily)",
             *       "1 EUR = 1.1671 USD (ecb_daily)",
             *       "1 USD = 0.8709 / 1.1671 GBP",
             *       "= 8709 / 11671",
             *       "= 0.746208551109587867363…",
             *       "= 0.7462085511, rounded half-even to 10 significant digits"
             *     ]
             */
            lines: string[];
        };
        /** @description The latest rate of one pair. */
        RateResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description The slug, lower case.
             * @example usd-jpy
             */
            pair: string;
            /**
             * @description Currency that the rate is for 1 unit of.
             * @example USD
             */
            base: components["schemas"]["CurrencyCode"];
            /**
             * @description Currency that the rate is in units of.
             * @example JPY
             */
            quote: components["schemas"]["CurrencyCode"];
            /**
             * Format: double
             * @description Units of the target currency per 1 unit of the base. A direct rate is printed as published; an inverse or a cross is exact arithmetic on the published figures, rounded half-even to 10 significant digits.
             * @example 157.6942828
             */
            rate: number;
            /**
             * @description The least fresh contributing source: that of the oldest observation.
             * @example ecb_daily
             */
            source: components["schemas"]["Source"];
            /**
             * @description Source of each returned currency's own figure; the base is listed too when its own observation contributes.
             * @example {
             *       "USD": "ecb_daily",
             *       "JPY": "ecb_daily"
             *     }
             */
            sources: {
                [key: string]: components["schemas"]["Source"];
            };
            /**
             * @description Only in the demo: the currencies whose rate rests on a simulated figure. Absent where there is none: a rate that is not named is real.
             * @example {
             *       "TWD": true
             *     }
             */
            simulated?: {
                [key: string]: boolean;
            };
            /** @example open */
            market_session: components["schemas"]["MarketSession"];
            /**
             * Format: date-time
             * @description When the answer was served, UTC, to the second.
             * @example 2026-04-13T16:30:00Z
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description Time of the oldest contributing observation, UTC.
             * @example 2026-04-13T12:15:00Z
             */
            data_updated_at: string;
            /**
             * @description Observation time of each currency, UTC; the base's is that of the oldest of its figures.
             * @example {
             *       "USD": "2026-04-13T12:15:00Z",
             *       "JPY": "2026-04-13T12:15:00Z"
             *     }
             */
            effective_at: {
                [key: string]: string;
            };
            /**
             * @description True when the rate is outside its source's freshness window: a newer publication was due and has not been seen.
             * @example false
             */
            stale: boolean;
            /**
             * @description True when the rate is triangulated through a third currency. An inverse is not.
             * @example true
             */
            derived: boolean;
            /**
             * Format: double
             * @description Ceiling of the error that the rounding of the legs can add, in basis points of the rate, rounded up to 0.01; each leg counts as rounded to its last digit that is not zero. Null when the rate is not triangulated, and when its legs differ in source or observation time; use `derived` to detect triangulation.
             * @example 0.7
             */
            derivation_bps_max: number | null;
            /**
             * @description Reminder that rates are indicative and not for settlement. It starts with SIMULATED where a rate is simulated, and says which.
             * @example Indicative mid rates for information only; not for settlement, trading or use as a source of record. Daily reference rates: published once a day, not live.
             */
            notice: string;
        };
        /** @description A live quote that is not served, and why. */
        RefusedQuote: {
            /**
             * @description Name of the feed.
             * @enum {string}
             */
            feed: "coinbase" | "oxr" | "massive" | "twelvedata" | "oanda";
            currency: components["schemas"]["CurrencyCode"];
            /**
             * @description The pair as the feed quotes it.
             * @example USD/JPY
             */
            pair: string;
            /**
             * @description The mid as the feed printed it.
             * @example 0.00628141
             */
            price: string;
            /**
             * Format: double
             * @description The same in units of the currency per dollar, to six digits.
             * @example 0.00628141
             */
            per_dollar: number;
            /**
             * Format: double
             * @description The newest daily reference per dollar, to six digits; null without one.
             * @example 159.19
             */
            reference: number | null;
            /**
             * Format: date-time
             * @description When the reference was observed, UTC.
             * @example 2026-04-13T12:15:00Z
             */
            reference_at: string | null;
            /**
             * @description `beyond_reference`: more than 1.3 times the reference either way; `decimal_slip`: that, and close to a power of ten; `no_reference`: there is none; `moved_together`: half of its answer's prices are more than 1.05 times their references; `exchanged`: it and another price of the answer are each near the other's reference, or it is near the inverse of its own. These are never released by repetition. `off_reference`: more than 1.1 times; `jump`: more than 5 % within an hour. `contradicts`: believed, and more than 2 % away from the served quote of another feed.
             * @enum {string}
             */
            rule: "no_reference" | "decimal_slip" | "beyond_reference" | "off_reference" | "jump" | "moved_together" | "exchanged" | "contradicts";
            /**
             * @description Why, with the numbers.
             * @example 0.00628141 per dollar is 0.00003946 times the reference 159.190: beyond 1.3 either way
             */
            reason: string;
            /**
             * Format: date-time
             * @description Time of the price, UTC.
             * @example 2026-04-13T16:29:02Z
             */
            observed_at: string;
            /**
             * Format: date-time
             * @description Since when the feed is doubted on this currency, UTC.
             * @example 2026-04-13T16:20:02Z
             */
            since: string;
        };
        /** @description A living session. */
        Session: {
            /**
             * @description Names the session; it opens nothing.
             * @example ses_5Vn0Ck2pQx8RtYb3LwEh
             */
            id: string;
            /**
             * @description True for the session of this request.
             * @example true
             */
            current: boolean;
            /**
             * Format: date-time
             * @description When it began, UTC.
             * @example 2026-04-13T16:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends, UTC.
             * @example 2026-05-13T16:30:00Z
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it was last used, UTC, up to a minute behind.
             * @example 2026-04-13T16:30:00Z
             */
            last_seen_at: string;
            /**
             * @description The program, by its own name at the sign-in; null without.
             * @example Firefox on Linux
             */
            client: string | null;
            /**
             * @description The network that the sign-in came from: /24, or /48 of IPv6.
             * @example 192.0.2.0/24
             */
            network: string | null;
        };
        /** @description The end of sessions. */
        SessionsEndedResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * Format: int64
             * @description How many sessions ended.
             * @example 1
             */
            ended: number;
        };
        /** @description One's own sessions. */
        SessionsResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /** @description Those that are alive, newest first. */
            sessions: components["schemas"]["Session"][];
        };
        /** @description Who signs in. */
        SignInCredentials: {
            /**
             * @description The e-mail address of the account. Compared without regard to case.
             * @example ada@example.com
             */
            email: string;
            /**
             * @description The account's password.
             * @example seven kites above Delft
             */
            password: string;
        };
        /** @description A new account. */
        SignUpDetails: {
            /**
             * @description One bare e-mail address. Compared without regard to case.
             * @example ada@example.com
             */
            email: string;
            /**
             * @description 10 to 200 characters of any kind; the most common ones, the address itself and the name of this service are refused, with digits and punctuation to them too.
             * @example seven kites above Delft
             */
            password: string;
        };
        /** @description The rest is in the mailbox. */
        SignUpMailedResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description `failed`: the mail server did not accept the e-mail; request another at `/v1/auth/verify-email/send`.
             * @enum {string}
             */
            mail: "sent" | "failed";
            /**
             * @description What to do next.
             * @example open the link in the e-mail to ada@example.com, then sign in
             */
            message: string;
        };
        /** @description A new session. */
        SignedInResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description The session, for `Authorization: Bearer`. Only its hash is stored.
             * @example fxs_Example0Example0Example0Example0Example0Example0Example000
             */
            token: string;
            /**
             * @description Names the session in the list of sessions.
             * @example ses_5Vn0Ck2pQx8RtYb3LwEh
             */
            session_id: string;
            /**
             * Format: date-time
             * @description When the session ends, UTC: 30 days after the sign-in.
             * @example 2026-05-13T16:30:00Z
             */
            expires_at: string;
            identity: components["schemas"]["Identity"];
        };
        /** @description The end of a session. */
        SignedOutResponse: {
            /**
             * @description `success` on every answer that is not an error.
             * @default success
             * @example success
             * @constant
             */
            result: "success";
            /**
             * @description False where no session was to end: a provider's JWT ends by itself.
             * @example true
             */
            signed_out: boolean;
        };
        /**
         * @description Where a rate comes from: `live` intraday indicative; `imported` quotes of a file that the operator imported, in bars only; `ecb_daily` euro reference rates of the ECB; `fred_daily` H.10 noon rates of the Federal Reserve; `banxico_daily` and `dof_daily` only on the slugs `usd-mxn-banxico` and `usd-mxn-dof`; `market_daily` is reserved. Values may be added: treat an unknown one as a source you do not know.
         * @enum {string}
         */
        Source: "live" | "imported" | "ecb_daily" | "fred_daily" | "banxico_daily" | "dof_daily" | "market_daily";
        /** @description Readiness, with the reasons. */
        StatusResponse: {
            /**
             * @description `error` with 503, as on every refusal.
             * @enum {string}
             */
            result: "success" | "error";
            /**
             * @description With 503 only, as on every refusal.
             * @enum {string}
             */
            code?: "service_unavailable";
            /**
             * @description With 503 only: the state, for people.
             * @example this server is unready: see checks
             */
            message?: string;
            /**
             * @description `unready`: the stores cannot be read, or the server is stopping. `degraded`: they can, but something is stale, missing, failing or contradicted.
             * @enum {string}
             */
            status: "ready" | "degraded" | "unready";
            /**
             * @description Version of the product.
             * @example 0.1.0
             */
            version: string;
            /** @description One entry a dependency. */
            checks: {
                /** @description This server process among those of its installation. */
                process: {
                    /**
                     * @description Whether it collects, answers, or both.
                     * @enum {string}
                     */
                    role: "all" | "api" | "collector";
                    /**
                     * @description Whether it is the one that collects; a collector that does not stands by.
                     * @example true
                     */
                    collecting: boolean;
                    /**
                     * @description Whether it was asked to end, and takes requests only for a moment longer.
                     * @example false
                     */
                    stopping: boolean;
                };
                /** @description This machine's clock, held against the Date of the sources' answers and a Postgres ledger. */
                clock: {
                    /**
                     * @description `off`: two hosts, or Postgres, say that it differs by more than two minutes. `wrong`: by more than an hour, and nothing is committed.
                     * @enum {string}
                     */
                    status: "ok" | "off" | "wrong";
                    /**
                     * @description What is wrong; null when nothing is.
                     * @example null
                     */
                    detail: string | null;
                };
                /** @description Ledger of accounts; `unused` where access is open. */
                database: {
                    /**
                     * @description Whether it can be read and written.
                     * @enum {string}
                     */
                    status: "ok" | "failed" | "unused";
                    /**
                     * @description Where it is stored.
                     * @example sqlite
                     */
                    kind: components["schemas"]["LedgerKind"] | null;
                    /**
                     * @description What is wrong; null when nothing is.
                     * @example null
                     */
                    detail: string | null;
                };
                /** @description Counters of limits and quotas; `unused` where access is open. */
                limits: {
                    /**
                     * @description `degraded`: replicas do not see each other's calls: each grants its share; or another server on the ledger has another table of plans.
                     * @enum {string}
                     */
                    status: "ok" | "degraded" | "unused";
                    /**
                     * @description Where it is stored.
                     * @example memory
                     */
                    kind: components["schemas"]["LimitsKind"] | null;
                    /**
                     * @description What is wrong; null when nothing is.
                     * @example null
                     */
                    detail: string | null;
                };
                /** @description Store of the newest quotes. */
                cache: {
                    /**
                     * @description `degraded`: what other processes publish does not arrive here; this one serves from its own memory.
                     * @enum {string}
                     */
                    status: "ok" | "degraded";
                    /**
                     * @description Where it is stored.
                     * @enum {string}
                     */
                    kind: "memory" | "redis";
                    /**
                     * @description What is wrong; null when nothing is.
                     * @example null
                     */
                    detail: string | null;
                    /**
                     * Format: date-time
                     * @description When the shared store last answered, UTC.
                     * @example 2026-04-13T16:29:59Z
                     */
                    last_seen_at: string | null;
                };
                /** @description Store of every observation. */
                lake: {
                    /**
                     * @description Whether the lake can be read.
                     * @enum {string}
                     */
                    status: "ok" | "failed";
                    /**
                     * @description What is wrong; null when nothing is.
                     * @example null
                     */
                    detail: string | null;
                    /**
                     * @description Files that differ from the lake's log, one sentence each. Answers that depend on them are refused with data_unavailable.
                     * @example []
                     */
                    damaged: string[];
                    /**
                     * @description Version of the data served; null before the first collection.
                     * @example 4f1c09d2
                     */
                    dataset: string | null;
                    /**
                     * Format: int64
                     * @description Number of current observations.
                     * @example 254109
                     */
                    observations: number;
                };
                /** @description Live quotes. */
                live_data: {
                    /**
                     * @description `stale`: a currency that was live is older than its window, or a daily figure replaces it. `refused`: quotes of a currency are refused, and no other feed is active for it. `unconfirmed`: a currency is served on one feed's quote alone although it is far from its reference, or another feed contradicts it. `missing`: no quote has come in although the market is open; `waiting`: it is closed. `off`: no feed is configured.
                     * @enum {string}
                     */
                    status: "ok" | "unconfirmed" | "refused" | "stale" | "missing" | "waiting" | "off";
                    /**
                     * Format: double
                     * @description Seconds since the newest quote was observed; null without one.
                     * @example 12
                     */
                    age_seconds: number | null;
                    /**
                     * @description Feed that is active for most currencies; null without a quote.
                     * @example coinbase
                     */
                    source: string | null;
                    /** @example open */
                    market_session: components["schemas"]["MarketSession"];
                    /**
                     * Format: int64
                     * @description Number of currencies served live now.
                     * @example 19
                     */
                    live_currencies: number;
                    /**
                     * Format: int64
                     * @description Number of currencies that are to be live.
                     * @example 19
                     */
                    configured_currencies: number;
                    /**
                     * @description Currencies that were live and are stale now.
                     * @example []
                     */
                    stale: components["schemas"]["CurrencyCode"][];
                    /**
                     * @description Currencies with a live quote of more than 1.05 times their daily reference, either way, on the quote of one feed only; and those whose quote another feed contradicts.
                     * @example []
                     */
                    unconfirmed: components["schemas"]["CurrencyCode"][];
                    /**
                     * @description Quotes that are refused now or contradict the served one, with the evidence; empty on a server that leaves polling the feeds to another.
                     * @example []
                     */
                    refused: components["schemas"]["RefusedQuote"][];
                    /** @description The configured feeds, in order of preference. */
                    feeds: components["schemas"]["FeedCheck"][];
                };
                /** @description Collection of each daily source. */
                daily: {
                    ecb_daily: components["schemas"]["DailyCheck"];
                    fred_daily: components["schemas"]["DailyCheck"];
                };
                /**
                 * @description Official tables by id; empty where they are switched off. They do not change the overall `status`: a caller that needs one watches its entry.
                 * @example {
                 *       "mex_fix": {
                 *         "status": "ok",
                 *         "newest_publication": "2026-04-13",
                 *         "newest_valid_from": "2026-04-13",
                 *         "last_attempt_at": "2026-04-13T16:05:00Z",
                 *         "last_success_at": "2026-04-13T16:05:00Z",
                 *         "outcome": "publications",
                 *         "detail": null,
                 *         "held_count": 0,
                 *         "held": []
                 *       }
                 *     }
                 */
                official: {
                    [key: string]: components["schemas"]["OfficialCheck"];
                };
            };
            /**
             * Format: date-time
             * @description When the answer was served, UTC, to the second.
             * @example 2026-04-13T16:30:00Z
             */
            timestamp: string;
        };
        /** @description An event of Stripe, of any API version. */
        StripeEvent: {
            /**
             * @description Unique for ever.
             * @example evt_1SampleOfAnEvent
             */
            id: string;
            /**
             * @description Always `event`.
             * @constant
             */
            object: "event";
            /**
             * Format: int64
             * @description Unix seconds.
             * @example 1776097800
             */
            created: number;
            /**
             * @description False in test mode.
             * @example false
             */
            livemode: boolean;
            /**
             * @description What happened.
             * @example customer.subscription.updated
             */
            type: string;
            /**
             * @description The object that it happened to; only its identifiers are read.
             * @example {
             *       "object": {
             *         "id": "sub_1Sample",
             *         "object": "subscription",
             *         "customer": "cus_Sample"
             *       }
             *     }
             */
            data: Record<string, never>;
        };
        /** @description A plan that includes the date, and what it lacks. */
        UpgradeOffer: {
            /**
             * @description The plan.
             * @example pro
             */
            plan: string;
            /**
             * @description What it has less than the caller's plan.
             * @example []
             */
            loses: string[];
        };
        /** @description What one day saw. */
        UsageDay: {
            /**
             * Format: date
             * @description The day, UTC.
             * @example 2026-04-13
             */
            date: string;
            /**
             * Format: int64
             * @description Requests that were answered. A batch is one.
             * @example 924
             */
            served: number;
            /**
             * Format: int64
             * @description Requests that a limit of the plan refused with 429.
             * @example 0
             */
            rate_limited: number;
        };
        /** @description Envelope of `validation_error`: the body is JSON, but not of the documented shape, or a parameter of an account endpoint is out of bounds. */
        ValidationErrorEnvelope: {
            /**
             * @description `error` on every refusal.
             * @example error
             * @constant
             */
            result: "error";
            code: components["schemas"]["ErrorCode"];
            /**
             * @description What went wrong and what to do about it, for people. The text may change.
             * @example unsupported base: XYZ
             */
            message: string;
            /**
             * @description Every member of the body, or parameter, that does not have the documented shape.
             * @example [
             *       {
             *         "path": "/from",
             *         "message": "is missing"
             *       }
             *     ]
             */
            errors: components["schemas"]["ValidationIssue"][];
        };
        /** @description What is wrong with one member or parameter. */
        ValidationIssue: {
            /**
             * @description JSON Pointer to the offending member of the body, or the name of the query parameter (without a slash); of a table the line, and the column.
             * @example /pairs/0/1
             */
            path: string;
            /**
             * @description What is expected there.
             * @example is missing
             */
            message: string;
        };
        /** @description The public keys and the newest entry of the signed history. */
        WellKnown: {
            /**
             * @description Form of the entries.
             * @example crossrate-chain/1
             * @enum {string}
             */
            format: "crossrate-chain/1";
            /**
             * @description `simulated` in the demo, where only the history of the ECB that it began with is real.
             * @example real
             * @enum {string}
             */
            mode: "real" | "simulated";
            /** @description In the order of their use; the last one signs. */
            keys: components["schemas"]["ChainKey"][];
            head: components["schemas"]["ChainHead"];
            /** @description Where the rest is, below this server's address. */
            links: {
                /**
                 * @description All entries.
                 * @example /v1/lake/chain
                 */
                chain: string;
                /**
                 * @description What proves one rate.
                 * @example /v1/lake/proof
                 */
                proof: string;
                /**
                 * @description How to check them.
                 * @example /docs/signed-history
                 */
                guide: string;
            };
        };
    };
    responses: {
        /** @description Nothing but `timestamp` has changed since the answer that `If-None-Match` names. */
        NotModified: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The caller is not signed in, the session is over, or the credentials are wrong. Codes: `invalid_api_key`. */
        MeteredInvalidApiKey: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller may not do this. Codes: `forbidden`. */
        MeteredForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such resource, or no rate for the day. Codes: `no_data_for_date`. */
        MeteredNoDataForDate: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The path exists, the method does not; `Allow` lists those that do. Codes: `method_not_allowed`. */
        MeteredMethodNotAllowed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The file is not the version that `If-Match` names. Codes: `precondition_failed`. */
        MeteredPreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The URL is too long. Codes: `uri_too_long`. */
        MeteredUriTooLong: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The range lies outside the file; `Content-Range` gives its size. Codes: `range_not_satisfiable`. */
        MeteredRangeNotSatisfiable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The server does not answer for the Host the request names. Codes: `misdirected_request`. */
        MeteredMisdirectedRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A fault of this server; nothing is wrong with the request. Codes: `internal_error`. */
        MeteredInternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body, a parameter or an amount is well-formed, but not acceptable. Codes: `invalid_amount`. */
        MeteredInvalidAmount: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is too large. Codes: `payload_too_large`. */
        MeteredPayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not declared as JSON. Codes: `unsupported_media_type`. */
        MeteredUnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request is malformed or contradicts itself. Codes: `invalid_request`. */
        MeteredInvalidRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body, a parameter or an amount is well-formed, but not acceptable. Codes: `validation_error`. */
        MeteredValidationError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such resource, or no rate for the day. Codes: `not_found`. */
        MeteredNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The path exists, the method does not; `Allow` lists those that do. Codes: `method_not_allowed`. */
        MethodNotAllowed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The URL is too long. Codes: `uri_too_long`. */
        UriTooLong: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The server does not answer for the Host the request names. Codes: `misdirected_request`. */
        MisdirectedRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A fault of this server; nothing is wrong with the request. Codes: `internal_error`. */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`. */
        DataUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request is malformed or contradicts itself. Codes: `invalid_request`. */
        InvalidRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller is not signed in, the session is over, or the credentials are wrong. Codes: `session_required`. */
        SessionRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller may not do this. Codes: `forbidden`. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is too large. Codes: `payload_too_large`. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not declared as JSON. Codes: `unsupported_media_type`. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body, a parameter or an amount is well-formed, but not acceptable. Codes: `validation_error`. */
        ValidationError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`. */
        RateLimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Another service did not do its part; nothing was changed here. Codes: `billing_cancellation_failed`. */
        BillingCancellationFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request contradicts the present state. Codes: `conflict`. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description This server does not offer it. Codes: `billing_not_configured`. */
        BillingNotConfigured: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `auth_unavailable`. */
        AuthUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller is not signed in, the session is over, or the credentials are wrong. Codes: `invalid_credentials`. */
        InvalidCredentials: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such resource, or no rate for the day. Codes: `not_found`. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getLatest: {
        parameters: {
            query?: {
                /**
                 * @description Base currency: rates are units of the others per 1 unit of it. In upper or in lower case.
                 * @example USD
                 */
                base?: string;
                /** @description The same as a base in the path; a different `base` is refused with `base_conflict`. */
                path_base?: string;
                /**
                 * @description Currencies wanted, separated by commas; absent, empty or `*` means every other currency.
                 * @example EUR,GBP,JPY
                 */
                symbols?: string;
                /** @description Rounds rates half-even to this many decimals; by default they have all their digits. A rate that would become 0 has its first significant digit. */
                dp?: number;
                /** @description `csv` for one row a currency, as spreadsheets import it; `xlsx` for the same as an Excel workbook. `Accept` does the same. Refusals stay JSON. */
                format?: "json" | "csv" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rates; a currency without a value within the last 14 days is absent, and named in `missing_symbols`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LatestResponse"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The request is malformed or contradicts itself. Codes: `unsupported_base`, `base_conflict`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            404: components["responses"]["MeteredNoDataForDate"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            416: components["responses"]["MeteredRangeNotSatisfiable"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `live_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLatestOnBase: {
        parameters: {
            query?: {
                /** @description The same as a base in the path; a different `base` is refused with `base_conflict`. */
                base?: string;
                /**
                 * @description Currencies wanted, separated by commas; absent, empty or `*` means every other currency.
                 * @example EUR,GBP,JPY
                 */
                symbols?: string;
                /** @description Rounds rates half-even to this many decimals; by default they have all their digits. A rate that would become 0 has its first significant digit. */
                dp?: number;
                /** @description `csv` for one row a currency, as spreadsheets import it; `xlsx` for the same as an Excel workbook. `Accept` does the same. Refusals stay JSON. */
                format?: "json" | "csv" | "xlsx";
            };
            header?: never;
            path: {
                /**
                 * @description Base currency; a different `base` in the query is refused with `base_conflict`.
                 * @example USD
                 */
                path_base: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rates; a currency without a value within the last 14 days is absent, and named in `missing_symbols`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LatestResponse"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The request is malformed or contradicts itself. Codes: `unsupported_base`, `base_conflict`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            /** @description There is no such resource, or no rate for the day. Codes: `no_data_for_date`, `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            416: components["responses"]["MeteredRangeNotSatisfiable"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `live_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getStream: {
        parameters: {
            query?: {
                /**
                 * @description Base currency: rates are units of the others per 1 unit of it. In upper or in lower case.
                 * @example USD
                 */
                base?: string;
                /** @description The same as a base in the path; a different `base` is refused with `base_conflict`. */
                path_base?: string;
                /**
                 * @description Currencies wanted, separated by commas; absent, empty or `*` means every other currency.
                 * @example EUR,GBP,JPY
                 */
                symbols?: string;
                /** @description Rounds rates half-even to this many decimals; by default they have all their digits. A rate that would become 0 has its first significant digit. */
                dp?: number;
                /** @description `Last-Event-ID` for clients that cannot set headers; the header wins. */
                last_event_id?: string;
            };
            header?: {
                /** @description `id` of the last event received, as `EventSource` sends it by itself: where the server knows that state, the stream begins with what has changed since, else with a snapshot. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream; it does not end by itself. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The request is malformed or contradicts itself. Codes: `unsupported_base`, `base_conflict`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            404: components["responses"]["MeteredNoDataForDate"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            414: components["responses"]["MeteredUriTooLong"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `live_unavailable`, `service_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getHistorical: {
        parameters: {
            query?: {
                /**
                 * @description Base currency: rates are units of the others per 1 unit of it. In upper or in lower case.
                 * @example USD
                 */
                base?: string;
                /** @description The same as a base in the path; a different `base` is refused with `base_conflict`. */
                path_base?: string;
                /**
                 * @description Currencies wanted, separated by commas; absent, empty or `*` means every other currency.
                 * @example EUR,GBP
                 */
                symbols?: string;
                /** @description Rounds rates half-even to this many decimals; by default they have all their digits. A rate that would become 0 has its first significant digit. */
                dp?: number;
                /** @description `csv` for one row a currency, as spreadsheets import it; `xlsx` for the same as an Excel workbook. `Accept` does the same. Refusals stay JSON. */
                format?: "json" | "csv" | "xlsx";
                /** @description Answers with what was known at this instant, itself included; not after now. RFC 3339, any offset, up to nine decimals. A plain day is refused. */
                as_of?: string;
                /** @description With `as_of` only; `published` when absent. `published`: what the world could know, by the publication instant where the authority states one, by the publication schedule for the first value of a day, by retrieval for a correction. `retrieved`: what this very server held. */
                as_of_basis?: "published" | "retrieved";
            };
            header?: never;
            path: {
                /**
                 * @description Day wanted, `YYYY-MM-DD`, UTC. Coverage starts on 1999-01-04.
                 * @example 2026-04-11
                 */
                date: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rates; on a weekend or holiday those published before it, with `is_forward_filled` true. A currency without a value within 14 days is absent, and named in `missing_symbols`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoricalResponse"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The request is malformed or contradicts itself. Codes: `bad_date`, `unsupported_base`, `base_conflict`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["MeteredInvalidApiKey"];
            /** @description The caller may not do this. Codes: `plan_gated`, `forbidden`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryRefusal"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such resource, or no rate for the day. Codes: `no_data_for_date`, `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            416: components["responses"]["MeteredRangeNotSatisfiable"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getHistoricalOnBase: {
        parameters: {
            query?: {
                /** @description The same as a base in the path; a different `base` is refused with `base_conflict`. */
                base?: string;
                /**
                 * @description Currencies wanted, separated by commas; absent, empty or `*` means every other currency.
                 * @example EUR,GBP
                 */
                symbols?: string;
                /** @description Rounds rates half-even to this many decimals; by default they have all their digits. A rate that would become 0 has its first significant digit. */
                dp?: number;
                /** @description `csv` for one row a currency, as spreadsheets import it; `xlsx` for the same as an Excel workbook. `Accept` does the same. Refusals stay JSON. */
                format?: "json" | "csv" | "xlsx";
                /** @description Answers with what was known at this instant, itself included; not after now. RFC 3339, any offset, up to nine decimals. A plain day is refused. */
                as_of?: string;
                /** @description With `as_of` only; `published` when absent. `published`: what the world could know, by the publication instant where the authority states one, by the publication schedule for the first value of a day, by retrieval for a correction. `retrieved`: what this very server held. */
                as_of_basis?: "published" | "retrieved";
            };
            header?: never;
            path: {
                /**
                 * @description Day wanted, `YYYY-MM-DD`, UTC. Coverage starts on 1999-01-04.
                 * @example 2026-04-11
                 */
                date: string;
                /**
                 * @description Base currency; a different `base` in the query is refused with `base_conflict`.
                 * @example USD
                 */
                path_base: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rates; on a weekend or holiday those published before it, with `is_forward_filled` true. A currency without a value within 14 days is absent, and named in `missing_symbols`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoricalResponse"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The request is malformed or contradicts itself. Codes: `bad_date`, `unsupported_base`, `base_conflict`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["MeteredInvalidApiKey"];
            /** @description The caller may not do this. Codes: `plan_gated`, `forbidden`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryRefusal"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such resource, or no rate for the day. Codes: `no_data_for_date`, `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            416: components["responses"]["MeteredRangeNotSatisfiable"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getFluctuation: {
        parameters: {
            query: {
                /**
                 * @description Base currency: rates are units of the others per 1 unit of it. In upper or in lower case.
                 * @example EUR
                 */
                base?: string;
                /**
                 * @description Currencies wanted, separated by commas; absent, empty or `*` means every other currency.
                 * @example USD,GBP
                 */
                symbols?: string;
                /**
                 * @description First day, `YYYY-MM-DD`, UTC.
                 * @example 2026-04-10
                 */
                start_date: string;
                /**
                 * @description Last day, `YYYY-MM-DD`, UTC.
                 * @example 2026-04-13
                 */
                end_date: string;
                /** @description `csv` for one row a currency, as spreadsheets import it; `xlsx` for the same as an Excel workbook. `Accept` does the same. Refusals stay JSON. */
                format?: "json" | "csv" | "xlsx";
                /** @description Answers with what was known at this instant, itself included; not after now. RFC 3339, any offset, up to nine decimals. A plain day is refused. */
                as_of?: string;
                /** @description With `as_of` only; `published` when absent. `published`: what the world could know, by the publication instant where the authority states one, by the publication schedule for the first value of a day, by retrieval for a correction. `retrieved`: what this very server held. */
                as_of_basis?: "published" | "retrieved";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes by currency. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FluctuationResponse"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The request is malformed or contradicts itself. Codes: `unsupported_base`, `base_conflict`, `invalid_request`, `missing_parameter`, `bad_date`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["MeteredInvalidApiKey"];
            /** @description The caller may not do this. Codes: `plan_gated`, `forbidden`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryRefusal"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["MeteredNoDataForDate"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            416: components["responses"]["MeteredRangeNotSatisfiable"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAverage: {
        parameters: {
            query?: {
                /**
                 * @description Base currency: rates are units of the others per 1 unit of it. In upper or in lower case.
                 * @example EUR
                 */
                base?: string;
                /**
                 * @description Currencies wanted, separated by commas; absent, empty or `*` means every other currency.
                 * @example USD,GBP
                 */
                symbols?: string;
                /**
                 * @description First day, `YYYY-MM-DD`, UTC.
                 * @example 2026-04-01
                 */
                start_date?: string;
                /**
                 * @description Last day, `YYYY-MM-DD`, UTC.
                 * @example 2026-04-13
                 */
                end_date?: string;
                /** @description A named period, without `start_date` and `end_date`: a year `2025`, a quarter `2025-Q3`, a month `2025-07`, or a tax year by its country: `AUS-2025-26`, `GBR-2025-26`, `IND-2025-26`, `NZL-2025-26`. */
                period?: string;
                /** @description `published`: the mean of the days with figures of their own. `calendar`: of all days; a day without figures has the rate in force, at most 14 days old. */
                method?: "published" | "calendar";
                /** @description Answers with what was known at this instant, itself included; not after now. RFC 3339, any offset, up to nine decimals. A plain day is refused. */
                as_of?: string;
                /** @description With `as_of` only; `published` when absent. `published`: what the world could know, by the publication instant where the authority states one, by the publication schedule for the first value of a day, by retrieval for a correction. `retrieved`: what this very server held. */
                as_of_basis?: "published" | "retrieved";
                /** @description `csv` for one row a currency, as spreadsheets import it; `xlsx` for the same as an Excel workbook. `Accept` does the same. Refusals stay JSON. */
                format?: "json" | "csv" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The means by currency. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AverageResponse"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The request is malformed or contradicts itself. Codes: `missing_parameter`, `unsupported_base`, `base_conflict`, `invalid_request`, `bad_date`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["MeteredInvalidApiKey"];
            /** @description The caller may not do this. Codes: `plan_gated`, `forbidden`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryRefusal"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["MeteredNoDataForDate"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            416: components["responses"]["MeteredRangeNotSatisfiable"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRate: {
        parameters: {
            query?: {
                /** @description Rounds rates half-even to this many decimals; by default they have all their digits. A rate that would become 0 has its first significant digit. */
                dp?: number;
            };
            header?: never;
            path: {
                /**
                 * @description `<base>-<quote>`; a currency against itself is no pair.
                 * @example usd-jpy
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The latest rate of one pair. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The request is malformed or contradicts itself. Codes: `invalid_pair`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            /** @description There is no such resource, or no rate for the day. Codes: `no_data_for_date`, `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MeteredMethodNotAllowed"];
            414: components["responses"]["MeteredUriTooLong"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `live_unavailable`, `source_unavailable`, `service_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    explainRate: {
        parameters: {
            query?: {
                /**
                 * @description Explains the rate of this day, `YYYY-MM-DD`, UTC, instead of the latest.
                 * @example 2026-04-11
                 */
                date?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Currency of the amount; of a rate, its base. In upper or in lower case.
                 * @example USD
                 */
                from_ccy: string;
                /**
                 * @description Currency wanted, in upper or in lower case.
                 * @example GBP
                 */
                to_ccy: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where one rate comes from. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The request is malformed or contradicts itself. Codes: `invalid_request`, `invalid_pair`, `bad_date`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["MeteredInvalidApiKey"];
            /** @description The caller may not do this. Codes: `plan_gated`, `forbidden`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryRefusal"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such resource, or no rate for the day. Codes: `no_data_for_date`, `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MeteredMethodNotAllowed"];
            414: components["responses"]["MeteredUriTooLong"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `live_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    convertPair: {
        parameters: {
            query?: {
                /**
                 * @description A decimal number with optional sign and fraction, from -1e15 to 1e15, of at most 256 characters. 1 when omitted.
                 * @example 250
                 */
                amount?: string;
                /** @description Converts at the rates of this day; the answer then has `date` and `is_forward_filled`. */
                date?: string;
                /** @description Rounds rates half-even to this many decimals; by default they have all their digits. A rate that would become 0 has its first significant digit. */
                dp?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Currency of the amount; of a rate, its base. In upper or in lower case.
                 * @example USD
                 */
                from_ccy: string;
                /**
                 * @description Currency wanted, in upper or in lower case.
                 * @example JPY
                 */
                to_ccy: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One amount in another currency. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConvertResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The request is malformed or contradicts itself. Codes: `invalid_pair`, `bad_date`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["MeteredInvalidApiKey"];
            /** @description The caller may not do this. Codes: `plan_gated`, `forbidden`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryRefusal"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such resource, or no rate for the day. Codes: `no_data_for_date`, `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MeteredMethodNotAllowed"];
            414: components["responses"]["MeteredUriTooLong"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            422: components["responses"]["MeteredInvalidAmount"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `live_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    convertAmount: {
        parameters: {
            query?: {
                /** @description Converts at the rates of this day; the answer then has `date` and `is_forward_filled`. */
                date?: string;
                /** @description Rounds rates half-even to this many decimals; by default they have all their digits. A rate that would become 0 has its first significant digit. */
                dp?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Currency of the amount; of a rate, its base. In upper or in lower case.
                 * @example USD
                 */
                from_ccy: string;
                /**
                 * @description Currency wanted, in upper or in lower case.
                 * @example JPY
                 */
                to_ccy: string;
                /**
                 * @description A decimal number with optional sign and fraction, from -1e15 to 1e15, of at most 256 characters.
                 * @example 250
                 */
                amount: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One amount in another currency. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConvertResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The request is malformed or contradicts itself. Codes: `invalid_pair`, `bad_date`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["MeteredInvalidApiKey"];
            /** @description The caller may not do this. Codes: `plan_gated`, `forbidden`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryRefusal"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such resource, or no rate for the day. Codes: `no_data_for_date`, `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MeteredMethodNotAllowed"];
            414: components["responses"]["MeteredUriTooLong"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            422: components["responses"]["MeteredInvalidAmount"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `live_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    convertPairs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Amounts of one currency to convert into others. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConvertBatchRequest"];
            };
        };
        responses: {
            /** @description Amounts, all from the same data. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConvertBatchResponse"];
                };
            };
            /** @description The request is malformed or contradicts itself. Codes: `invalid_request`, `invalid_pair`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            404: components["responses"]["MeteredNoDataForDate"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            413: components["responses"]["MeteredPayloadTooLarge"];
            414: components["responses"]["MeteredUriTooLong"];
            415: components["responses"]["MeteredUnsupportedMediaType"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description The body, a parameter or an amount is well-formed, but not acceptable. Codes: `invalid_amount`, `validation_error`. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyRefusal"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `live_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    convertDatedItems: {
        parameters: {
            query?: {
                /** @description Answers with what was known at this instant, itself included; not after now. RFC 3339, any offset, up to nine decimals. A plain day is refused. */
                as_of?: string;
                /** @description With `as_of` only; `published` when absent. `published`: what the world could know, by the publication instant where the authority states one, by the publication schedule for the first value of a day, by retrieval for a correction. `retrieved`: what this very server held. */
                as_of_basis?: "published" | "retrieved";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Amounts that each have a day of their own. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConvertDatedRequest"];
                "text/csv": string;
            };
        };
        responses: {
            /** @description The converted amounts, one for each item, in the order given. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConvertDatedResponse"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["MeteredInvalidRequest"];
            401: components["responses"]["MeteredInvalidApiKey"];
            /** @description The caller may not do this. Codes: `plan_gated`, `forbidden`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryRefusal"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MeteredMethodNotAllowed"];
            413: components["responses"]["MeteredPayloadTooLarge"];
            414: components["responses"]["MeteredUriTooLong"];
            415: components["responses"]["MeteredUnsupportedMediaType"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            422: components["responses"]["MeteredValidationError"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `source_unavailable`, `service_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRange: {
        parameters: {
            query: {
                /**
                 * @description Currencies wanted, separated by commas; `*` for all but the base.
                 * @example EUR,GBP
                 */
                symbols: string;
                /**
                 * @description First day, `YYYY-MM-DD`, UTC.
                 * @example 2026-04-09
                 */
                start_date: string;
                /**
                 * @description Last day, `YYYY-MM-DD`, UTC.
                 * @example 2026-04-13
                 */
                end_date: string;
                /**
                 * @description Base currency: rates are units of the others per 1 unit of it. In upper or in lower case.
                 * @example USD
                 */
                base?: string;
                /** @description `next_cursor` of the page before, exactly as returned; all other parameters stay the same. */
                cursor?: string;
                /** @description `json` for pages; `csv`, `parquet`, `ndjson`, `arrow` (IPC stream) or `xlsx` (Excel) for one file. `Accept` does the same. */
                format?: "json" | "csv" | "parquet" | "ndjson" | "arrow" | "xlsx";
                /** @description Rows by date: `asc` oldest first, `desc` newest first. */
                order?: "asc" | "desc";
                /** @description Absent for daily rates. `1w`, `1mo`, `1q` and `1y`: one row an ISO week (dated with its Monday), or calendar month, quarter or year (dated with its first day) of them; only days from `start_date` to `end_date` count. `1m`, `5m`, `15m`, `1h` and `1d`: open, high, low, close, mean and ticks from the intraday archive. `tick`, files only: its quotes as they were delivered; `symbols=*` then means every pair. */
                interval?: "1m" | "5m" | "15m" | "1h" | "1d" | "tick" | "1w" | "1mo" | "1q" | "1y";
                /** @description With `interval=1w`, `1mo`, `1q` or `1y` only: `last` value of the period, which is what an absent one means, or the exact `mean` of its days, rounded half-even to 10 significant digits. */
                aggregate?: "last" | "mean";
                /** @description With bars and quotes only: which price of a quote counts. A quote without a bid or ask is left out with `bid` or `ask`: nothing is computed in its stead. */
                side?: "mid" | "bid" | "ask";
                /** @description `previous` gives every calendar day, filled and flagged. */
                fill?: "none" | "previous";
                /** @description Rows of a JSON page. */
                limit?: number;
                /** @description Files only: `long` has a row a date and symbol, `wide` a row a date. */
                layout?: "long" | "wide";
                /** @description Rounds rates half-even to this many decimals; by default they have all their digits. A rate that would become 0 has its first significant digit. */
                dp?: number;
                /** @description Answers with what was known at this instant, itself included; not after now. RFC 3339, any offset, up to nine decimals. A plain day is refused. */
                as_of?: string;
                /** @description With `as_of` only; `published` when absent. `published`: what the world could know, by the publication instant where the authority states one, by the publication schedule for the first value of a day, by retrieval for a correction. `retrieved`: what this very server held. */
                as_of_basis?: "published" | "retrieved";
                /** @description Only values that changed since: for keeping a copy up to date. Send `sync_from` of the answer before, as it is; 1970-01-01T00:00:00Z the first time. An instant is accepted and approximate: it is compared with times of retrieval, which a wrong clock may have set. Not together with `as_of`. */
                updated_after?: string;
                /** @description `1` answers with rows, bytes and cost instead. `HEAD` has them in headers. */
                estimate?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page as JSON, or the whole window as a file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RangeOrEstimate"];
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.arrow.stream": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.arrow.stream": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The request is malformed or contradicts itself. Codes: `invalid_request`, `missing_parameter`, `bad_date`, `unsupported_base`, `base_conflict`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["MeteredInvalidApiKey"];
            /** @description The caller may not do this. Codes: `plan_gated`, `forbidden`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryRefusal"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["MeteredNoDataForDate"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            416: components["responses"]["MeteredRangeNotSatisfiable"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `service_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLakeManifest: {
        parameters: {
            query?: never;
            header?: {
                /** @description `ETag` of the version wanted; another one is refused with `precondition_failed`. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the lake holds of daily figures, by file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LakeManifest"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `service_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getIntradayManifest: {
        parameters: {
            query?: never;
            header?: {
                /** @description `ETag` of the version wanted; another one is refused with `precondition_failed`. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the intraday archive holds, by date. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntradayManifest"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `service_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOfficialManifest: {
        parameters: {
            query?: never;
            header?: {
                /** @description `ETag` of the version wanted; another one is refused with `precondition_failed`. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the lake holds of official tables. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfficialManifest"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `service_unavailable`, `source_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLakeDaily: {
        parameters: {
            query?: never;
            header?: {
                /** @description `ETag` of the version wanted; another one is refused with `precondition_failed`. */
                "If-Match"?: string;
                /** @description One range of bytes, also counted from the end. Several at once, and what is no range, are ignored: the whole file comes. */
                Range?: string;
                /** @description `ETag` of the version that `Range` is meant for; of another one the whole file comes. */
                "If-Range"?: string;
            };
            path: {
                /**
                 * @description The folder of a source as the manifest writes it; `=` may come as `%3D`.
                 * @example source=ecb_daily
                 */
                source: string;
                /**
                 * @description The folder of a year as the manifest writes it; `=` may come as `%3D`.
                 * @example year=2026
                 */
                year: string;
                /**
                 * @description Name of the file as the manifest writes it.
                 * @example part-6f1c0a52-2f0e-4e43-9d0a-7b1f5b0f6c1d.parquet
                 */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A Parquet file, or with `Range` a part of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["MeteredInvalidApiKey"];
            /** @description The caller may not do this. Codes: `plan_gated`, `forbidden`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryRefusal"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["MeteredNotFound"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            416: components["responses"]["MeteredRangeNotSatisfiable"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLakeCurrentDaily: {
        parameters: {
            query?: never;
            header?: {
                /** @description `ETag` of the version wanted; another one is refused with `precondition_failed`. */
                "If-Match"?: string;
                /** @description One range of bytes, also counted from the end. Several at once, and what is no range, are ignored: the whole file comes. */
                Range?: string;
                /** @description `ETag` of the version that `Range` is meant for; of another one the whole file comes. */
                "If-Range"?: string;
            };
            path: {
                /**
                 * @description The folder of a source as the manifest writes it; `=` may come as `%3D`.
                 * @example source=ecb_daily
                 */
                source: string;
                /**
                 * @description The folder of a year as the manifest writes it; `=` may come as `%3D`.
                 * @example year=2026
                 */
                year: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A Parquet file, or with `Range` a part of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["MeteredInvalidApiKey"];
            /** @description The caller may not do this. Codes: `plan_gated`, `forbidden`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryRefusal"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["MeteredNotFound"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            416: components["responses"]["MeteredRangeNotSatisfiable"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLakeRevisions: {
        parameters: {
            query?: never;
            header?: {
                /** @description `ETag` of the version wanted; another one is refused with `precondition_failed`. */
                "If-Match"?: string;
                /** @description One range of bytes, also counted from the end. Several at once, and what is no range, are ignored: the whole file comes. */
                Range?: string;
                /** @description `ETag` of the version that `Range` is meant for; of another one the whole file comes. */
                "If-Range"?: string;
            };
            path: {
                /**
                 * @description The folder of a source as the manifest writes it; `=` may come as `%3D`.
                 * @example source=ecb_daily
                 */
                source: string;
                /**
                 * @description The folder of a year as the manifest writes it; `=` may come as `%3D`.
                 * @example year=2026
                 */
                year: string;
                /**
                 * @description Name of the file as the manifest writes it.
                 * @example part-6f1c0a52-2f0e-4e43-9d0a-7b1f5b0f6c1d.parquet
                 */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A Parquet file, or with `Range` a part of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["MeteredInvalidApiKey"];
            /** @description The caller may not do this. Codes: `plan_gated`, `forbidden`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryRefusal"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["MeteredNotFound"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            416: components["responses"]["MeteredRangeNotSatisfiable"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLakeCurrentRevisions: {
        parameters: {
            query?: never;
            header?: {
                /** @description `ETag` of the version wanted; another one is refused with `precondition_failed`. */
                "If-Match"?: string;
                /** @description One range of bytes, also counted from the end. Several at once, and what is no range, are ignored: the whole file comes. */
                Range?: string;
                /** @description `ETag` of the version that `Range` is meant for; of another one the whole file comes. */
                "If-Range"?: string;
            };
            path: {
                /**
                 * @description The folder of a source as the manifest writes it; `=` may come as `%3D`.
                 * @example source=ecb_daily
                 */
                source: string;
                /**
                 * @description The folder of a year as the manifest writes it; `=` may come as `%3D`.
                 * @example year=2026
                 */
                year: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A Parquet file, or with `Range` a part of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["MeteredInvalidApiKey"];
            /** @description The caller may not do this. Codes: `plan_gated`, `forbidden`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryRefusal"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["MeteredNotFound"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            416: components["responses"]["MeteredRangeNotSatisfiable"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLakeHeld: {
        parameters: {
            query?: never;
            header?: {
                /** @description `ETag` of the version wanted; another one is refused with `precondition_failed`. */
                "If-Match"?: string;
                /** @description One range of bytes, also counted from the end. Several at once, and what is no range, are ignored: the whole file comes. */
                Range?: string;
                /** @description `ETag` of the version that `Range` is meant for; of another one the whole file comes. */
                "If-Range"?: string;
            };
            path: {
                /**
                 * @description Name of the file as the manifest writes it.
                 * @example part-6f1c0a52-2f0e-4e43-9d0a-7b1f5b0f6c1d.parquet
                 */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A Parquet file, or with `Range` a part of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["MeteredInvalidApiKey"];
            /** @description The caller may not do this. Codes: `plan_gated`, `forbidden`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryRefusal"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["MeteredNotFound"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            416: components["responses"]["MeteredRangeNotSatisfiable"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLakeCurrentHeld: {
        parameters: {
            query?: never;
            header?: {
                /** @description `ETag` of the version wanted; another one is refused with `precondition_failed`. */
                "If-Match"?: string;
                /** @description One range of bytes, also counted from the end. Several at once, and what is no range, are ignored: the whole file comes. */
                Range?: string;
                /** @description `ETag` of the version that `Range` is meant for; of another one the whole file comes. */
                "If-Range"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A Parquet file, or with `Range` a part of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["MeteredInvalidApiKey"];
            /** @description The caller may not do this. Codes: `plan_gated`, `forbidden`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryRefusal"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["MeteredNotFound"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            416: components["responses"]["MeteredRangeNotSatisfiable"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLakeIntraday: {
        parameters: {
            query?: never;
            header?: {
                /** @description `ETag` of the version wanted; another one is refused with `precondition_failed`. */
                "If-Match"?: string;
                /** @description One range of bytes, also counted from the end. Several at once, and what is no range, are ignored: the whole file comes. */
                Range?: string;
                /** @description `ETag` of the version that `Range` is meant for; of another one the whole file comes. */
                "If-Range"?: string;
            };
            path: {
                /**
                 * @description The folder of a UTC day as the manifest writes it; `=` may come as `%3D`.
                 * @example date=2026-04-13
                 */
                partition: string;
                /**
                 * @description Name of the file as the manifest writes it.
                 * @example part-6f1c0a52-2f0e-4e43-9d0a-7b1f5b0f6c1d.parquet
                 */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A Parquet file, or with `Range` a part of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["MeteredInvalidApiKey"];
            /** @description The caller may not do this. Codes: `plan_gated`, `forbidden`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryRefusal"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["MeteredNotFound"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            416: components["responses"]["MeteredRangeNotSatisfiable"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLakeCurrentIntraday: {
        parameters: {
            query?: never;
            header?: {
                /** @description `ETag` of the version wanted; another one is refused with `precondition_failed`. */
                "If-Match"?: string;
                /** @description One range of bytes, also counted from the end. Several at once, and what is no range, are ignored: the whole file comes. */
                Range?: string;
                /** @description `ETag` of the version that `Range` is meant for; of another one the whole file comes. */
                "If-Range"?: string;
            };
            path: {
                /**
                 * @description The folder of a UTC day as the manifest writes it; `=` may come as `%3D`.
                 * @example date=2026-04-13
                 */
                partition: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A Parquet file, or with `Range` a part of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["MeteredInvalidApiKey"];
            /** @description The caller may not do this. Codes: `plan_gated`, `forbidden`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryRefusal"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["MeteredNotFound"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            416: components["responses"]["MeteredRangeNotSatisfiable"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLakeOfficialFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description `ETag` of the version wanted; another one is refused with `precondition_failed`. */
                "If-Match"?: string;
                /** @description One range of bytes, also counted from the end. Several at once, and what is no range, are ignored: the whole file comes. */
                Range?: string;
                /** @description `ETag` of the version that `Range` is meant for; of another one the whole file comes. */
                "If-Range"?: string;
            };
            path: {
                /**
                 * @description The folder of an official table as the manifest writes it; `=` may come as `%3D`.
                 * @example table_id=mex_fix
                 */
                partition: string;
                /**
                 * @description Name of the file as the manifest writes it.
                 * @example part-6f1c0a52-2f0e-4e43-9d0a-7b1f5b0f6c1d.parquet
                 */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A Parquet file, or with `Range` a part of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            404: components["responses"]["MeteredNotFound"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            416: components["responses"]["MeteredRangeNotSatisfiable"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLakeCurrentOfficialFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description `ETag` of the version wanted; another one is refused with `precondition_failed`. */
                "If-Match"?: string;
                /** @description One range of bytes, also counted from the end. Several at once, and what is no range, are ignored: the whole file comes. */
                Range?: string;
                /** @description `ETag` of the version that `Range` is meant for; of another one the whole file comes. */
                "If-Range"?: string;
            };
            path: {
                /**
                 * @description The folder of an official table as the manifest writes it; `=` may come as `%3D`.
                 * @example table_id=mex_fix
                 */
                partition: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A Parquet file, or with `Range` a part of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            404: components["responses"]["MeteredNotFound"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            416: components["responses"]["MeteredRangeNotSatisfiable"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLakeViews: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description SQL for DuckDB 1.5 or newer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/sql": string;
                };
            };
            304: components["responses"]["NotModified"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
        };
    };
    getLakeChain: {
        parameters: {
            query?: {
                /**
                 * @description Sequence of the first entry wanted.
                 * @example 0
                 */
                from?: number;
                /**
                 * @description Entries wanted at most.
                 * @example 100
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A part of the signed history. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["MeteredInvalidRequest"];
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            414: components["responses"]["MeteredUriTooLong"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWellKnown: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The public keys and the newest entry of the signed history. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WellKnown"];
                };
            };
            304: components["responses"]["NotModified"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["DataUnavailable"];
        };
    };
    getLakeProof: {
        parameters: {
            query: {
                /**
                 * @description Day of the rate, `YYYY-MM-DD`, UTC.
                 * @example 2026-04-11
                 */
                date: string;
                /** @description Version of the daily figures, as in the manifest; absent: the newest. An older one has no day after its commit. */
                version?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Currency of the amount; of a rate, its base. In upper or in lower case.
                 * @example EUR
                 */
                from_ccy: string;
                /**
                 * @description Currency wanted, in upper or in lower case.
                 * @example USD
                 */
                to_ccy: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What proves that a rate was in a version of the lake. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LakeProof"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The request is malformed or contradicts itself. Codes: `invalid_request`, `invalid_pair`, `missing_parameter`, `bad_date`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["MeteredInvalidApiKey"];
            /** @description The caller may not do this. Codes: `plan_gated`, `forbidden`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryRefusal"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such resource, or no rate for the day. Codes: `no_data_for_date`, `not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MeteredMethodNotAllowed"];
            414: components["responses"]["MeteredUriTooLong"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOfficialTables: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Official tables. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfficialTablesResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["MeteredInvalidRequest"];
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            414: components["responses"]["MeteredUriTooLong"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `source_unavailable`, `service_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOfficialChanges: {
        parameters: {
            query?: {
                /**
                 * @description Begin with the first change created at this UTC instant or later: it, and everything committed after it.
                 * @example 2026-04-13T00:00:00Z
                 */
                since?: string;
                /**
                 * @description Only changes of this country's tables; any case.
                 * @example MEX
                 */
                country?: string;
                /** @description Only changes of tables with this type; any case. */
                type?: string;
                /** @description Entries a page. */
                limit?: number;
                /** @description A cursor of the answer before, exactly as returned. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfficialChangesResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["MeteredInvalidRequest"];
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            414: components["responses"]["MeteredUriTooLong"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `source_unavailable`, `service_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOfficialFeed: {
        parameters: {
            query?: {
                /**
                 * @description Only changes of this country's tables; any case.
                 * @example MEX
                 */
                country?: string;
                /** @description Only changes of tables with this type; any case. */
                type?: string;
                /** @description A cursor of the answer before, exactly as returned. */
                cursor?: string;
                /** @description Entries a page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["MeteredInvalidRequest"];
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            414: components["responses"]["MeteredUriTooLong"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `source_unavailable`, `service_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOfficialPublications: {
        parameters: {
            query?: {
                /**
                 * @description First day of validity from this day on.
                 * @example 2026-04-01
                 */
                from?: string;
                /**
                 * @description First day of validity up to this day.
                 * @example 2026-04-30
                 */
                to?: string;
                /** @description Entries a page. */
                limit?: number;
                /** @description A cursor of the answer before, exactly as returned. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description ISO 3166-1 alpha-3 code, any case.
                 * @example MEX
                 */
                country: string;
                /**
                 * @description A type of the table, any case; `/v1/official` lists them.
                 * @example fix
                 */
                type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Publications. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfficialPublicationsResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The request is malformed or contradicts itself. Codes: `bad_date`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            404: components["responses"]["MeteredNotFound"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            414: components["responses"]["MeteredUriTooLong"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `source_unavailable`, `service_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLatestOfficialPublication: {
        parameters: {
            query?: {
                /** @description The publication that is valid on this day, or `today`, on the calendar of the table's zone. */
                valid_on?: string;
            };
            header?: never;
            path: {
                /**
                 * @description ISO 3166-1 alpha-3 code, any case.
                 * @example MEX
                 */
                country: string;
                /**
                 * @description A type of the table, any case; `/v1/official` lists them.
                 * @example fix
                 */
                type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A whole publication. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfficialPublicationResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The request is malformed or contradicts itself. Codes: `bad_date`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            404: components["responses"]["MeteredNotFound"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            414: components["responses"]["MeteredUriTooLong"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `source_unavailable`, `service_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOfficialPublication: {
        parameters: {
            query?: {
                /** @description The version wanted; the newest without it. */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description ISO 3166-1 alpha-3 code, any case.
                 * @example MEX
                 */
                country: string;
                /**
                 * @description A type of the table, any case; `/v1/official` lists them.
                 * @example fix
                 */
                type: string;
                /**
                 * @description `publication` of an event or of a list, letter by letter.
                 * @example 2026-04-13
                 */
                publication_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A whole publication. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfficialPublicationResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["MeteredInvalidRequest"];
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            404: components["responses"]["MeteredNotFound"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            414: components["responses"]["MeteredUriTooLong"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `source_unavailable`, `service_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    convertOfficially: {
        parameters: {
            query?: {
                /**
                 * @description A decimal number with optional sign and fraction, from -1e15 to 1e15, of at most 256 characters. 1 when omitted.
                 * @example 250
                 */
                amount?: string;
                /** @description The day of the event, on the calendar of the table's zone; today when absent. */
                on?: string;
                /** @description `in_force`: the publication valid on the day. `previous_business_day`: the one valid on the day before, for laws that take the last table before the event. `published_on`: the one that the authority published on the very day, by its instant of publication where stated, else by its first day of validity. */
                rule?: "in_force" | "previous_business_day" | "published_on";
                /** @description Which of several rates of a currency. Without it `mid`, or the only kind; where a table has only `buy` and `sell`, it is required. */
                kind?: "mid" | "buy" | "sell" | "average";
                /** @description Only publications and versions that this server had retrieved at this instant. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description ISO 3166-1 alpha-3 code, any case.
                 * @example MEX
                 */
                country: string;
                /**
                 * @description A type of the table, any case; `/v1/official` lists them.
                 * @example fix
                 */
                type: string;
                /**
                 * @description Currency of the amount, any case; any of the table.
                 * @example USD
                 */
                from_ccy: string;
                /**
                 * @description Currency wanted, any case; any of the table.
                 * @example MXN
                 */
                to_ccy: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Amount by an official table. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfficialConvertResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The request is malformed or contradicts itself. Codes: `invalid_request`, `bad_date`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            404: components["responses"]["MeteredNotFound"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            414: components["responses"]["MeteredUriTooLong"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            422: components["responses"]["MeteredInvalidAmount"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `source_unavailable`, `service_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    convertAmountOfficially: {
        parameters: {
            query?: {
                /** @description The day of the event, on the calendar of the table's zone; today when absent. */
                on?: string;
                /** @description `in_force`: the publication valid on the day. `previous_business_day`: the one valid on the day before, for laws that take the last table before the event. `published_on`: the one that the authority published on the very day, by its instant of publication where stated, else by its first day of validity. */
                rule?: "in_force" | "previous_business_day" | "published_on";
                /** @description Which of several rates of a currency. Without it `mid`, or the only kind; where a table has only `buy` and `sell`, it is required. */
                kind?: "mid" | "buy" | "sell" | "average";
                /** @description Only publications and versions that this server had retrieved at this instant. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description ISO 3166-1 alpha-3 code, any case.
                 * @example MEX
                 */
                country: string;
                /**
                 * @description A type of the table, any case; `/v1/official` lists them.
                 * @example fix
                 */
                type: string;
                /**
                 * @description Currency of the amount, any case; any of the table.
                 * @example USD
                 */
                from_ccy: string;
                /**
                 * @description Currency wanted, any case; any of the table.
                 * @example MXN
                 */
                to_ccy: string;
                /**
                 * @description A decimal number with optional sign and fraction, from -1e15 to 1e15, of at most 256 characters.
                 * @example 250
                 */
                amount: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Amount by an official table. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfficialConvertResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The request is malformed or contradicts itself. Codes: `invalid_request`, `bad_date`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            404: components["responses"]["MeteredNotFound"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            414: components["responses"]["MeteredUriTooLong"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            422: components["responses"]["MeteredInvalidAmount"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `source_unavailable`, `service_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOfficialRates: {
        parameters: {
            query?: {
                /** @description Only rows with one of these currencies as base or quote, separated by commas. */
                symbols?: string;
                /**
                 * @description First day, of the table's zone.
                 * @example 2026-04-13
                 */
                start_date?: string;
                /**
                 * @description Last day.
                 * @example 2026-04-13
                 */
                end_date?: string;
                /** @description A named period, without `start_date` and `end_date`: a year `2025`, a quarter `2025-Q3`, a month `2025-07`, or a tax year by its country: `AUS-2025-26`, `GBR-2025-26`, `IND-2025-26`, `NZL-2025-26`. In tables of that country a tax year is also `2025-26`. What can be a month is one: `2011-12` is December 2011. */
                period?: string;
                /** @description `newest`: each publication in its newest version, or the one of `as_of`. `all`: in every version, the newest first. */
                versions?: "newest" | "all";
                /** @description Only publications and versions that this server had retrieved at this instant. */
                as_of?: string;
                /** @description Entries a page. */
                limit?: number;
                /** @description A cursor of the answer before, exactly as returned. */
                cursor?: string;
                /** @description `csv` for one row a rate, as spreadsheets import it; `parquet` and `xlsx` for the same with types. `Accept` does the same. Refusals stay JSON. */
                format?: "json" | "csv" | "parquet" | "xlsx";
            };
            header?: never;
            path: {
                /**
                 * @description ISO 3166-1 alpha-3 code, any case.
                 * @example MEX
                 */
                country: string;
                /**
                 * @description A type of the table, any case; `/v1/official` lists them.
                 * @example fix
                 */
                type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rates. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfficialRatesResponse"];
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The request is malformed or contradicts itself. Codes: `missing_parameter`, `invalid_request`, `bad_date`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            404: components["responses"]["MeteredNotFound"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            416: components["responses"]["MeteredRangeNotSatisfiable"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `source_unavailable`, `service_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOfficialRatesInForce: {
        parameters: {
            query?: {
                /** @description The day of the event, on the calendar of the table's zone; today when absent. */
                on?: string;
                /** @description Only rows with one of these currencies as base or quote, separated by commas. */
                symbols?: string;
                /** @description Only publications and versions that this server had retrieved at this instant. */
                as_of?: string;
                /** @description `csv` for one row a rate, as spreadsheets import it; `parquet` and `xlsx` for the same with types. `Accept` does the same. Refusals stay JSON. */
                format?: "json" | "csv" | "parquet" | "xlsx";
            };
            header?: never;
            path: {
                /**
                 * @description ISO 3166-1 alpha-3 code, any case.
                 * @example MEX
                 */
                country: string;
                /**
                 * @description A type of the table, any case; `/v1/official` lists them.
                 * @example fix
                 */
                type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rates of the day. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfficialInForceResponse"];
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The request is malformed or contradicts itself. Codes: `bad_date`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            404: components["responses"]["MeteredNotFound"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            412: components["responses"]["MeteredPreconditionFailed"];
            414: components["responses"]["MeteredUriTooLong"];
            416: components["responses"]["MeteredRangeNotSatisfiable"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `source_unavailable`, `service_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listCurrencies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The catalog. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrenciesResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["MeteredInvalidApiKey"];
            403: components["responses"]["MeteredForbidden"];
            405: components["responses"]["MeteredMethodNotAllowed"];
            414: components["responses"]["MeteredUriTooLong"];
            421: components["responses"]["MeteredMisdirectedRequest"];
            /** @description Too many requests; `Retry-After` is when to try again. Codes: `rate_limited`, `ip_rate_limited`, `quota_exceeded`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["MeteredInternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `data_unavailable`, `auth_unavailable`, `quota_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    provisionAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What a sign-up may say of itself. All of it is optional. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProvisionRequest"];
            };
        };
        responses: {
            /** @description The current key, in full. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyCreatedResponse"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `auth_unavailable`, `service_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller's account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountResponse"];
                };
            };
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `auth_unavailable`, `service_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountDeletedResponse"];
                };
            };
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BillingCancellationFailed"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `auth_unavailable`, `service_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDailyUsage: {
        parameters: {
            query?: {
                /**
                 * @description How many days, today included.
                 * @example 3
                 */
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Requests of the last days, by day. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DailyUsageResponse"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["ValidationError"];
            500: components["responses"]["InternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `auth_unavailable`, `service_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current key, in full. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyCreatedResponse"];
                };
            };
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            414: components["responses"]["UriTooLong"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `auth_unavailable`, `service_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The end of the keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeysRevokedResponse"];
                };
            };
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `auth_unavailable`, `service_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    acceptPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What is accepted. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsentRequest"];
            };
        };
        responses: {
            /** @description What was accepted, and when. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentResponse"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `auth_unavailable`, `service_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What is to be bought. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckoutRequest"];
            };
        };
        responses: {
            /** @description Where to go. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutResponse"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            /** @description The caller is not signed in, the session is over, or the credentials are wrong. Codes: `invalid_api_key`, `session_required`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["BillingNotConfigured"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `auth_unavailable`, `service_unavailable`, `billing_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    receiveStripeEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description An event of Stripe, of any API version. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StripeEvent"];
            };
        };
        responses: {
            /** @description What became of the event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingEventResponse"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["BillingNotConfigured"];
            /** @description This cannot be answered at the moment; `Retry-After` is when to try again. Codes: `service_unavailable`, `billing_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signUp: {
        parameters: {
            query?: {
                /** @description `0` leaves the cookies out, neither read nor set: for command lines, and for pages of other sites that keep the token themselves. */
                cookie?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A new account. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignUpDetails"];
            };
        };
        responses: {
            /** @description The account is open and signed in. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedInResponse"];
                };
            };
            /** @description An e-mail to the address has the next step. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignUpMailedResponse"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["AuthUnavailable"];
        };
    };
    signIn: {
        parameters: {
            query?: {
                /** @description `0` leaves the cookies out, neither read nor set: for command lines, and for pages of other sites that keep the token themselves. */
                cookie?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Who signs in. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInCredentials"];
            };
        };
        responses: {
            /** @description A new session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedInResponse"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidCredentials"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["AuthUnavailable"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedOutResponse"];
                };
            };
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["AuthUnavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who is signed in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeResponse"];
                };
            };
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["AuthUnavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One's own sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsResponse"];
                };
            };
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["AuthUnavailable"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The end of sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsEndedResponse"];
                };
            };
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["AuthUnavailable"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description `id` of the session in the list.
                 * @example ses_5Vn0Ck2pQx8RtYb3LwEh
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The end of sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsEndedResponse"];
                };
            };
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["AuthUnavailable"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A new password. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordRequest"];
            };
        };
        responses: {
            /** @description The new password counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordSetResponse"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            /** @description The caller is not signed in, the session is over, or the credentials are wrong. Codes: `session_required`, `invalid_credentials`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["AuthUnavailable"];
        };
    };
    askPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The account's address. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailRequest"];
            };
        };
        responses: {
            /** @description The same for every address, and in the same time. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LetterResponse"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["AuthUnavailable"];
        };
    };
    confirmPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A link's token and the new password. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordResetRequest"];
            };
        };
        responses: {
            /** @description The new password counts; sign in with it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordSetResponse"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["AuthUnavailable"];
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A link's token and the account's password. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailVerification"];
            };
        };
        responses: {
            /** @description The person with the confirmed address. It does not sign the person in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailVerifiedResponse"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidCredentials"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["AuthUnavailable"];
        };
    };
    askEmailVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The account's address. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailRequest"];
            };
        };
        responses: {
            /** @description The same for every address, and in the same time. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LetterResponse"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["AuthUnavailable"];
        };
    };
    startExternalSignIn: {
        parameters: {
            query?: {
                /** @description The path of this site to come back to; anything else becomes `/`. */
                return_to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the identity provider. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["AuthUnavailable"];
        };
    };
    finishExternalSignIn: {
        parameters: {
            query?: {
                /**
                 * @description The provider's `code`.
                 * @example example
                 */
                code?: string;
                /**
                 * @description The provider's `state`.
                 * @example example
                 */
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed in, and back to `return_to`. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["AuthUnavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Liveness. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthResponse"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
        };
    };
    getStatus: {
        parameters: {
            query?: {
                /** @description `1` answers 503 when anything is degraded. */
                strict?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `ready`, or `degraded` with the reason in the checks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusResponse"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            /** @description `unready`; with `strict=1` also `degraded`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusResponse"];
                };
            };
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An OpenAPI document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenApiDocument"];
                };
            };
            304: components["responses"]["NotModified"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
        };
    };
    getDocs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            304: components["responses"]["NotModified"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
        };
    };
}
