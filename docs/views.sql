-- Views of a Crossrate lake for DuckDB (1.5 or newer), on disk or over HTTP. Run it once per session:
--
--     SET VARIABLE lake = 'data/live/lake';                        -- or 'http://localhost:3000/v1/lake'
--     .read views.sql                                              -- in Python: connection.execute(Path("views.sql").read_text())
--
--     FROM daily WHERE quote = 'USD' ORDER BY date DESC LIMIT 5;   -- the current figures: each as published, once
--     FROM revisions;                                              -- what was corrected or taken back
--     FROM daily_all_revisions;                                    -- both
--     FROM held;                                                   -- figures held back from service
--     FROM latest;                                                 -- the newest figure of every series
--     FROM crosses('USD') WHERE date = '2026-04-13';               -- all rates on a base, on days of publication
--     FROM as_of(TIMESTAMPTZ '2026-01-06 00:00:00Z');              -- what could be known at an instant
--     FROM as_of(TIMESTAMPTZ '2026-01-06 00:00:00Z', basis := 'retrieved');   -- what this lake held then
--     FROM intraday WHERE date = '2026-04-13' AND quote = 'EUR';   -- live quotes as delivered
--     FROM bars('EUR', 'USD', INTERVAL 1 hour, since := TIMESTAMPTZ '2026-04-13 00:00:00Z');
--     FROM official WHERE table_id = 'mex_fix';                    -- official publications, every version of them
--
-- On disk the views read the files below current/, and each file is replaced as a whole; run this again for new years and
-- days. Where several partitions must agree, read the Delta tables instead (docs/lake.md). Over HTTP they read the version
-- that is the newest when this is run: run it again for a newer one. A view without files is empty and has its columns.
-- On disk nothing else is needed. Over HTTP DuckDB loads its extension httpfs, and every view reads only the columns and
-- rows it needs. There the files of past years need the key of a plan that reaches that far, unless access is open:
--
--     CREATE SECRET crossrate (TYPE http, SCOPE 'http://localhost:3000', BEARER_TOKEN 'fxk_…');

-- On disk the files are those below current/, one per partition.
SET VARIABLE lake_on_disk = CASE WHEN getvariable('lake') LIKE 'http%' THEN '' ELSE getvariable('lake') END;
-- A copy made by the Python client has no logs, but a manifest.
SET VARIABLE lake_marks = (
  SELECT count(*)
  FROM glob([getvariable('lake_on_disk') || '/daily/_delta_log/*.json', getvariable('lake_on_disk') || '/manifest.json'])
);
SET VARIABLE files_by_folder = $$
SELECT file FROM glob(getvariable('lake') || '/current/**/*.parquet')
$$;

-- Over HTTP the files are those that the manifests list. The first manifest names the others.
SET VARIABLE lake_manifests = (
  SELECT list(getvariable('lake') || '/' || name)
  FROM query(CASE WHEN getvariable('lake') LIKE 'http%' THEN $$
    SELECT unnest(list_prepend('manifest.json', map_values(manifests))) AS name
    FROM read_json(getvariable('lake') || '/manifest.json', columns = {manifests: 'MAP(VARCHAR, VARCHAR)'})
  $$ ELSE 'SELECT NULL AS name WHERE false' END)
);
SET VARIABLE files_by_manifest = $$
SELECT getvariable('lake') || '/' || unnest(files).path AS file
FROM read_json(getvariable('lake_manifests'), columns = {files: 'STRUCT(path VARCHAR)[]'})
$$;

SET VARIABLE lake_files = (
  SELECT coalesce(list(file ORDER BY file), [])
  FROM query(CASE
    WHEN getvariable('lake') LIKE 'http%' THEN getvariable('files_by_manifest')
    WHEN getvariable('lake_marks') = 0 THEN error('there is no lake in ' || getvariable('lake'))
    ELSE getvariable('files_by_folder')
  END)
);
SET VARIABLE daily_files = list_filter(getvariable('lake_files'), lambda file: contains(file, '/daily/source='));
SET VARIABLE revision_files = list_filter(getvariable('lake_files'), lambda file: contains(file, '/revisions/source='));
SET VARIABLE held_files = list_filter(getvariable('lake_files'), lambda file: contains(file, '/held/'));
SET VARIABLE intraday_files = list_filter(getvariable('lake_files'), lambda file: contains(file, '/intraday/date='));
SET VARIABLE official_files = list_filter(getvariable('lake_files'), lambda file: contains(file, '/official/table_id='));

-- Text of a SELECT over the files in a variable, or over nothing with the same columns.
CREATE OR REPLACE MACRO rows_of(files, partitions, columns) AS CASE
  WHEN len(getvariable(files)) = 0 THEN 'SELECT ' || columns || ' WHERE false'
  WHEN partitions = '' THEN 'FROM read_parquet(getvariable(''' || files || '''), hive_partitioning = false)'
  ELSE 'FROM read_parquet(getvariable(''' || files || '''), hive_partitioning = true, hive_types = {' || partitions || '})'
END;
SET VARIABLE figure_columns = 'NULL::DATE AS date, NULL::VARCHAR AS base, NULL::VARCHAR AS quote, NULL::DOUBLE AS value,
  NULL::VARCHAR AS printed, NULL::BIGINT AS units, NULL::SMALLINT AS scale, NULL::SMALLINT AS decimals,
  NULL::TIMESTAMPTZ AS observed_at, NULL::TIMESTAMPTZ AS published_at, NULL::TIMESTAMPTZ AS retrieved_at,
  NULL::INTEGER AS revision, NULL::VARCHAR AS document, NULL::VARCHAR AS document_sha256';

-- The current figures, each exactly once. `source` and `year` come from folder names: a condition on them skips whole files.
CREATE OR REPLACE VIEW daily AS
FROM query(rows_of('daily_files', 'source: VARCHAR, year: INTEGER',
  getvariable('figure_columns') || ', NULL::VARCHAR AS source, NULL::INTEGER AS year'));

-- Figures that were corrected or taken back, each revision exactly once.
CREATE OR REPLACE VIEW revisions AS
FROM query(rows_of('revision_files', 'source: VARCHAR, year: INTEGER',
  getvariable('figure_columns') || ', NULL::TIMESTAMPTZ AS superseded_at, NULL::VARCHAR AS why,
  NULL::VARCHAR AS superseded_by, NULL::VARCHAR AS source, NULL::INTEGER AS year'));

-- Every revision there has ever been; superseded_at, why and superseded_by are null for the current ones.
CREATE OR REPLACE VIEW daily_all_revisions AS
FROM daily UNION ALL BY NAME FROM revisions;

-- Figures that are held back: not believed, not served.
CREATE OR REPLACE VIEW held AS
FROM query(rows_of('held_files', '', 'NULL::DATE AS date, NULL::VARCHAR AS source, NULL::VARCHAR AS base,
  NULL::VARCHAR AS quote, NULL::DOUBLE AS value, NULL::VARCHAR AS printed, NULL::SMALLINT AS decimals,
  NULL::TIMESTAMPTZ AS observed_at, NULL::TIMESTAMPTZ AS published_at, NULL::TIMESTAMPTZ AS retrieved_at,
  NULL::VARCHAR AS document, NULL::VARCHAR AS document_sha256, NULL::VARCHAR AS rule, NULL::VARCHAR AS reason'));

-- Live quotes as delivered, and those of imported files, each once; `date` comes from the folder's name.
CREATE OR REPLACE VIEW intraday AS
FROM query(rows_of('intraday_files', 'date: DATE', 'NULL::TIMESTAMPTZ AS observed_at, NULL::TIMESTAMPTZ AS retrieved_at,
  NULL::VARCHAR AS feed, NULL::VARCHAR AS base, NULL::VARCHAR AS quote, NULL::DOUBLE AS bid, NULL::DOUBLE AS ask,
  NULL::DOUBLE AS mid, NULL::SMALLINT AS decimals, NULL::SMALLINT AS bid_decimals, NULL::SMALLINT AS ask_decimals,
  NULL::DATE AS date'));

-- Official publications as their authorities made them: every row of every version.
CREATE OR REPLACE VIEW official AS
FROM query(rows_of('official_files', 'table_id: VARCHAR', 'NULL::VARCHAR AS country, NULL::VARCHAR AS authority,
  NULL::VARCHAR AS publication, NULL::INTEGER AS version, NULL::DATE AS valid_from, NULL::DATE AS valid_to,
  NULL::TIMESTAMPTZ AS published_at, NULL::TIMESTAMPTZ AS retrieved_at, NULL::VARCHAR AS base, NULL::VARCHAR AS quote,
  NULL::DOUBLE AS rate, NULL::VARCHAR AS printed, NULL::INTEGER AS unit, NULL::VARCHAR AS kind,
  NULL::VARCHAR AS source_url, NULL::VARCHAR AS document_sha256, NULL::VARCHAR AS table_id'));

-- The newest figure of every series.
CREATE OR REPLACE VIEW latest AS
FROM daily
QUALIFY row_number() OVER (PARTITION BY source, base, quote ORDER BY date DESC) = 1;

-- Rounds top / bottom (whole numbers) half-even to ten significant digits, as the service does for computed rates, exactly: in
-- doubles where these decide the tenth digit, else in integers of 128 bits.
CREATE OR REPLACE MACRO half_even(top, bottom) AS
  top // bottom + CASE WHEN 2 * (top % bottom) > bottom OR (2 * (top % bottom) = bottom AND (top // bottom) % 2 = 1) THEN 1 ELSE 0 END;
CREATE OR REPLACE MACRO rounded_at(top, bottom, places, shifted) AS CASE
  WHEN places BETWEEN 0 AND 22 AND abs(shifted - floor(shifted) - 0.5) > 1e-4 THEN floor(shifted + 0.5)
  ELSE half_even(
    top * pow(10.0, greatest(places, 0))::HUGEINT, bottom * pow(10.0, greatest(-places, 0))::HUGEINT
  )::DOUBLE
END / pow(10.0, places);
CREATE OR REPLACE MACRO ten_digits_of(top, bottom) AS rounded_at(
  top, bottom, 9 - floor(log10(top::DOUBLE / bottom::DOUBLE)),
  top::DOUBLE / bottom::DOUBLE * pow(10.0, 9 - floor(log10(top::DOUBLE / bottom::DOUBLE)))
);

-- Rates of every currency on a base, on each date with a publication: the doubles nearest to the digits that the service
-- prints. A day without a figure of a currency is filled from an earlier one, at most 14 days back, and flagged; the rows
-- that are not filled are those of /v1/range. The ECB's figure is used where there is one, else that of H.10. Both meet in
-- the ECB's dollar, else in H.10's euro. The figures of a rate are of one date, the newest that all of them have. Where two
-- sources share no date, each source has its own. Columns: date, base, symbol, rate, is_forward_filled (of an earlier
-- date), derived (through a third currency).
CREATE OR REPLACE MACRO crosses(of_base) AS TABLE
-- A figure states top / bottom units of its currency for one of its hub.
WITH figures AS (
  SELECT
    date, hub, currency, is_up, CASE WHEN is_up THEN units ELSE power END AS top, CASE WHEN is_up THEN power ELSE units END AS bottom,
    lead(date) OVER (PARTITION BY hub, currency ORDER BY date) AS next
  FROM (
    SELECT
      date, hub, base = hub AS is_up, CASE WHEN base = hub THEN quote ELSE base END AS currency,
      units::HUGEINT AS units, pow(10.0, scale)::HUGEINT AS power
    FROM (SELECT *, CASE source WHEN 'ecb_daily' THEN 'EUR' ELSE 'USD' END AS hub FROM daily)
  )
),
days AS (SELECT DISTINCT date AS day FROM figures),
-- Each figure on its own date and on the later dates that it fills.
carried AS (
  SELECT * EXCLUDE (next)
  FROM (SELECT *, date + unnest(range(least(coalesce(next - date, 15), 15)))::INTEGER AS day FROM figures)
  WHERE day IN (FROM days)
),
current_figures AS (
  SELECT carried.*
  FROM carried LEFT JOIN (SELECT day, currency FROM carried WHERE hub = 'EUR') AS ecb
    ON ecb.day = carried.day AND ecb.currency = CASE carried.currency WHEN 'EUR' THEN 'USD' ELSE carried.currency END
  WHERE hub = 'EUR' OR ecb.day IS NULL
),
sides AS (
  FROM current_figures WHERE currency NOT IN ('EUR', 'USD')
  UNION ALL
  SELECT NULL AS date, hub, hub AS currency, true AS is_up, 1 AS top, 1 AS bottom, day FROM days, (SELECT unnest(['EUR', 'USD']) AS hub)
),
base_side AS (FROM sides WHERE currency = of_base),
-- Factors for a symbol's figure, by the symbol's hub: the base's own figure, times the one that joins the hubs if they differ.
rests AS (
  SELECT day, hub, bottom AS top, top AS bottom, date AS earliest, date AS latest, (date IS NOT NULL)::INTEGER AS legs, NOT is_up AS is_up
  FROM base_side
  UNION ALL
  SELECT
    base.day, CASE base.hub WHEN 'EUR' THEN 'USD' ELSE 'EUR' END,
    base.bottom * CASE WHEN joins.hub = base.hub THEN joins.top ELSE joins.bottom END,
    base.top * CASE WHEN joins.hub = base.hub THEN joins.bottom ELSE joins.top END,
    least(base.date, joins.date), greatest(base.date, joins.date), 1 + (base.date IS NOT NULL)::INTEGER,
    (joins.hub = base.hub) = joins.is_up
  FROM base_side AS base JOIN current_figures AS joins ON joins.day = base.day AND joins.currency IN ('EUR', 'USD')
),
pairs AS (
  SELECT
    day, side.currency AS symbol, hub, side.top * rests.top AS top, side.bottom * rests.bottom AS bottom,
    least(side.date, earliest) AS earliest, greatest(side.date, latest) AS latest, (side.date IS NOT NULL)::INTEGER + legs AS legs,
    CASE WHEN side.date IS NULL THEN rests.is_up ELSE side.is_up END AS is_up
  FROM sides AS side JOIN rests USING (day, hub)
  WHERE side.currency <> of_base
),
-- A pair with newest figures of several dates goes back to the newest date that all of them have.
uneven AS (SELECT day, symbol, hub FROM pairs WHERE earliest < latest),
parts AS (
  SELECT day, symbol, 1 AS part, hub, symbol AS currency, true AS is_above FROM uneven WHERE symbol <> hub
  UNION ALL
  SELECT day, symbol, 2, base.hub, of_base, false FROM uneven JOIN base_side AS base USING (day) WHERE base.date IS NOT NULL
  UNION ALL
  SELECT day, symbol, 3, joins.hub, joins.currency, joins.hub = base.hub
  FROM uneven JOIN base_side AS base USING (day) JOIN current_figures AS joins USING (day)
  WHERE base.hub <> uneven.hub AND joins.currency IN ('EUR', 'USD')
),
earlier AS (
  SELECT
    parts.* EXCLUDE (is_above), CASE WHEN is_above THEN top ELSE bottom END AS top, CASE WHEN is_above THEN bottom ELSE top END AS bottom,
    count(*) OVER (PARTITION BY day, symbol, parts.date) AS on_date,
    count(*) OVER (PARTITION BY day, symbol, parts.hub, parts.date) AS on_date_of_hub
  FROM (
    SELECT *, unnest([day - back::INTEGER FOR back IN range(15)]) AS date
    FROM (SELECT *, count(*) OVER (PARTITION BY day, symbol) AS of_pair, count(*) OVER (PARTITION BY day, symbol, hub) AS of_hub FROM parts)
  ) AS parts
  JOIN figures USING (hub, currency, date)
),
dated AS (
  SELECT *, coalesce(
    max(date) FILTER (on_date = of_pair) OVER (PARTITION BY day, symbol),
    max(date) FILTER (on_date_of_hub = of_hub AND of_hub < of_pair) OVER (PARTITION BY day, symbol, hub)
  ) AS chosen
  FROM earlier
),
aligned AS (
  SELECT
    day, symbol,
    coalesce(max(top) FILTER (part = 1), 1) * coalesce(max(top) FILTER (part = 2), 1) * coalesce(max(top) FILTER (part = 3), 1) AS top,
    coalesce(max(bottom) FILTER (part = 1), 1) * coalesce(max(bottom) FILTER (part = 2), 1) * coalesce(max(bottom) FILTER (part = 3), 1) AS bottom,
    min(date) AS earliest, count(*) AS legs, false AS is_up
  FROM dated
  WHERE date = chosen
  GROUP BY day, symbol
  HAVING count(*) = any_value(of_pair)
)
SELECT
  day AS date, of_base AS base, symbol,
  CASE WHEN legs = 1 AND is_up THEN top::DOUBLE / bottom::DOUBLE ELSE ten_digits_of(top, bottom) END AS rate,
  earliest < day AS is_forward_filled, legs > 1 AS derived
FROM (
  SELECT day, symbol, top, bottom, earliest, legs, is_up FROM pairs WHERE earliest = latest
  UNION ALL
  FROM aligned
)
ORDER BY symbol, day;

-- The scheduled publication of a day's figures: 16:00 in Frankfurt; for H.10 16:15 in New York on the next Monday, or on
-- Tuesday when Monday is a federal holiday.
CREATE OR REPLACE MACRO h10_monday(of_date) AS of_date + 8 - isodow(of_date)::INTEGER;
CREATE OR REPLACE MACRO is_federal_holiday(monday) AS CASE month(monday)
  WHEN 1 THEN day(monday) <= 2 OR day(monday) BETWEEN 15 AND 21
  WHEN 2 THEN day(monday) BETWEEN 15 AND 21
  WHEN 5 THEN day(monday) >= 25
  WHEN 6 THEN day(monday) IN (19, 20) AND year(monday) >= 2021
  WHEN 7 THEN day(monday) IN (4, 5)
  WHEN 9 THEN day(monday) <= 7
  WHEN 10 THEN day(monday) BETWEEN 8 AND 14
  WHEN 11 THEN day(monday) IN (11, 12)
  WHEN 12 THEN day(monday) IN (25, 26)
  ELSE false
END;
CREATE OR REPLACE MACRO scheduled_publication(of_source, of_date) AS CASE of_source
  WHEN 'ecb_daily' THEN timezone('Europe/Berlin', of_date + TIME '16:00')
  ELSE timezone(
    'America/New_York',
    h10_monday(of_date) + is_federal_holiday(h10_monday(of_date))::INTEGER + TIME '16:15'
  )
END;

-- The figures known at an instant, inclusive. basis 'published': a figure is known from its publication, by its document or
-- else by the schedule; a correction without a time of its own, from its retrieval. 'retrieved': from its retrieval by this
-- lake. At any instant at most one revision of a figure is known.
CREATE OR REPLACE MACRO as_of(instant, basis := 'published') AS TABLE
WITH revisions AS (
  SELECT
    *,
    CASE
      WHEN basis = 'retrieved' THEN retrieved_at
      WHEN published_at IS NOT NULL THEN least(published_at, retrieved_at)
      WHEN revision = 1 THEN least(scheduled_publication(source, date), retrieved_at)
      ELSE retrieved_at
    END AS known_from
  FROM daily_all_revisions
),
newest AS (
  FROM revisions
  WHERE known_from <= instant
  QUALIFY row_number() OVER (
    PARTITION BY source, date, base, quote ORDER BY revision DESC, superseded_at DESC NULLS LAST
  ) = 1
)
FROM newest
WHERE superseded_at IS NULL OR superseded_at > instant
ORDER BY source, date, base, quote;

-- Bars of `of_quote` per one `of_base`: start, open, high, low, close, mean, ticks. Intervals begin at multiples of their
-- width since 1970-01-01T00:00Z; an interval without a quote has no bar. Pairs with the dollar are as quoted or inverted.
-- Two other currencies are joined through the dollar at each tick of either, with the other's latest value, at most 15
-- minutes old.
CREATE OR REPLACE MACRO bars(
  of_base, of_quote, width, since := '-infinity'::TIMESTAMPTZ, before := 'infinity'::TIMESTAMPTZ
) AS TABLE
WITH ticks AS (
  SELECT
    CASE WHEN base = 'USD' THEN quote ELSE base END AS currency,
    base = 'USD' AS is_per_dollar, mid, observed_at,
    round(mid * pow(10.0, decimals))::HUGEINT AS units, pow(10.0, decimals)::HUGEINT AS power,
    (observed_at, retrieved_at, feed, base <> 'USD') AS place
  FROM intraday
  WHERE base IN ('USD', of_base, of_quote) AND quote IN ('USD', of_base, of_quote) AND 'USD' IN (base, quote)
    AND observed_at >= since - INTERVAL 15 minute AND observed_at < before
    AND date >= ((since - INTERVAL 15 minute) AT TIME ZONE 'UTC')::DATE AND date <= (before AT TIME ZONE 'UTC')::DATE
  -- Imported quotes are left out in a minute in which a live feed quoted the currency.
  QUALIFY feed <> 'imported'
    OR count(*) FILTER (feed <> 'imported') OVER (PARTITION BY currency, epoch_ms(observed_at) // 60000) = 0
),
dollar_values AS (
  SELECT
    observed_at, place, mid, is_per_dollar = (of_base = 'USD') AS is_delivered,
    CASE WHEN is_delivered THEN units ELSE power END AS top, CASE WHEN is_delivered THEN power ELSE units END AS bottom
  FROM ticks
  WHERE 'USD' IN (of_base, of_quote)
),
-- A leg is top / bottom units of its currency for a dollar.
legs AS (
  SELECT
    currency, observed_at, arg_max(CASE WHEN is_per_dollar THEN units ELSE power END, place) AS top,
    arg_max(CASE WHEN is_per_dollar THEN power ELSE units END, place) AS bottom
  FROM ticks
  WHERE 'USD' NOT IN (of_base, of_quote)
  GROUP BY currency, observed_at
),
base_leg AS (FROM legs WHERE currency = of_base),
quote_leg AS (FROM legs WHERE currency = of_quote),
crossed AS (
  SELECT instants.observed_at, quote_leg.top * base_leg.bottom AS top, quote_leg.bottom * base_leg.top AS bottom
  FROM (SELECT DISTINCT observed_at FROM legs) AS instants
  ASOF JOIN quote_leg ON instants.observed_at >= quote_leg.observed_at
  ASOF JOIN base_leg ON instants.observed_at >= base_leg.observed_at
  WHERE instants.observed_at - quote_leg.observed_at <= INTERVAL 15 minute
    AND instants.observed_at - base_leg.observed_at <= INTERVAL 15 minute
),
-- `value` is in units of 1e-20, rounded up: so it rounds to ten digits as the exact value does.
every_value AS (
  SELECT
    * EXCLUDE (top, bottom),
    CASE
      WHEN top < 1e18 THEN (top * 1e20::HUGEINT + bottom - 1) // bottom
      ELSE round(top::DOUBLE / bottom::DOUBLE * 1e20)::HUGEINT
    END AS value
  FROM (
    FROM dollar_values
    UNION ALL BY NAME
    SELECT *, (observed_at, NULL, NULL, NULL) AS place, NULL AS mid, false AS is_delivered FROM crossed
  )
),
grouped AS (
  SELECT
    make_timestamptz(epoch_us(observed_at) // epoch_us(width) * epoch_us(width)) AS start,
    -- Members have names: DuckDB before 1.5.6 reads none by its number here.
    arg_min({mid: mid, value: value}, place) AS open, max({value: value, mid: mid}) AS high,
    min({value: value, mid: mid}) AS low, arg_max({mid: mid, value: value}, place) AS close,
    sum(value) AS total, count(*) AS ticks, 1e20::HUGEINT AS unit, bool_and(is_delivered) AS is_delivered
  FROM every_value
  WHERE observed_at >= since
  GROUP BY start
)
SELECT
  start,
  CASE WHEN is_delivered THEN open.mid ELSE ten_digits_of(open.value, unit) END AS open,
  CASE WHEN is_delivered THEN high.mid ELSE ten_digits_of(high.value, unit) END AS high,
  CASE WHEN is_delivered THEN low.mid ELSE ten_digits_of(low.value, unit) END AS low,
  CASE WHEN is_delivered THEN close.mid ELSE ten_digits_of(close.value, unit) END AS close,
  ten_digits_of(total, ticks * unit) AS mean,
  ticks
FROM grouped
ORDER BY start;
