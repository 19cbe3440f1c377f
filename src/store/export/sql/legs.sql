-- The figures of a version as legs of crosses: for each currency and day the figure in force, as published or carried on for at most 14
-- days. Where an ECB figure is in force, one of H.10 has a row on its own date only, for pairs that go back to an earlier date. Each
-- hub (EUR of the ECB's figures, 0, and USD of H.10's, 1) has a row without a figure on every day. Ordered by currency and day.
--
-- A leg is top / bottom units of its currency per unit of its hub, both whole numbers. is_side: can be one side of a pair. is_join:
-- connects the hubs. is_up: multiplies in the rates of its currency, or has no figure. place: the day and the hub. freshness: the
-- instant of observation, then the source; a smaller number is less fresh.
CREATE TABLE {legs} AS
WITH named AS (
  SELECT
    * REPLACE (source::INTEGER AS source, scale::INTEGER AS scale, decimals::INTEGER AS decimals), base = hub AS is_up,
    CASE WHEN base = hub THEN quote ELSE base END AS currency
  FROM (SELECT *, hub_of(source) AS hub FROM {figures} WHERE date >= DATE '1970-01-01' + {first})
),
measured AS (
  SELECT
    named.* EXCLUDE (base, quote, hub), lead(date) OVER (PARTITION BY named.source, named.currency ORDER BY date) AS next,
    greatest(
      0.5 * pow(10.0, -CASE
        WHEN units::BIGINT % pow(10.0, greatest(scale - decimals + 1, 0))::BIGINT <> 0 THEN decimals
        WHEN units::BIGINT % pow(10.0, greatest(scale - decimals + 2, 0))::BIGINT <> 0 THEN decimals - 1
        ELSE decimals - 2
      END),
      CASE
        WHEN scale + exponent < 0 OR units::BIGINT % (mantissa * pow(10.0, scale + exponent))::BIGINT = 0
          THEN 0.5 * mantissa * pow(10.0, exponent)
      END
    ) / (units / pow(10.0, scale)) AS error
  FROM named LEFT JOIN (VALUES {steps}) AS steps (source, currency, since, until, mantissa, exponent)
    ON steps.source = named.source AND steps.currency::currency = named.currency AND date BETWEEN since AND until
),
days AS (
  SELECT * EXCLUDE (next), date + unnest(range(least(coalesce(next - date, 15), 15)))::INTEGER AS day FROM measured
),
first_choice AS (SELECT day, currency FROM days WHERE source = 0),
current_figures AS (
  SELECT days.*, days.source = 0 OR first_choice.day IS NULL AS in_force
  FROM days LEFT JOIN first_choice
    ON first_choice.day = days.day AND first_choice.currency = CASE days.currency WHEN 'EUR' THEN 'USD' ELSE days.currency END
),
hub_days AS (
  SELECT unnest(range((SELECT min(day) FROM days)::TIMESTAMP, (SELECT max(day) + 1 FROM days)::TIMESTAMP, INTERVAL 1 day))::DATE AS day
)
SELECT
  currency, day, date, source::UTINYINT AS source, place(day, source) AS place,
  in_force AND currency NOT IN ('EUR', 'USD') AS is_side, in_force AND currency IN ('EUR', 'USD') AS is_join,
  date = day AS fresh, is_up, 1::UTINYINT AS legs, scale::UTINYINT AS scale, observed::BIGINT * 2 + 1 - source AS freshness, error,
  error_factor(error, is_up) AS factor,
  CASE WHEN is_up THEN units ELSE pow(10.0, scale) END AS top, CASE WHEN is_up THEN pow(10.0, scale) ELSE units END AS bottom
FROM current_figures
WHERE in_force OR date = day
UNION ALL
SELECT
  hub_of(source), day, NULL, source, place(day, source), true, false, true, true, 0, 0, 9223372036854775807, 0, 1, 1, 1
FROM hub_days, (VALUES (0), (1)) AS hubs (source)
ORDER BY currency, day
