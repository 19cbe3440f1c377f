-- Bars of several symbols on one base, ordered by symbol and start, with an interval only where there is a tick.
-- Values are those of `bars`, to the last bit: the same doubles, the same rounding, and sums of integers of 2^-72, so
-- that no order of adding could give another mean. Ticks stand in the order of observed_at, retrieved_at, feed, and last
-- those the other way round.
WITH ticks AS (
  SELECT
    CASE WHEN base = 'USD' THEN quote ELSE base END AS currency,
    base = 'USD' AS is_per_dollar,
    epoch_ms(observed_at) AS observed,
    observed_at, retrieved_at, feed,
    mid
  FROM read_parquet({files}, hive_partitioning = false)
  WHERE base IN ({codes}) AND quote IN ({codes}) AND (base = 'USD' OR quote = 'USD')
    AND observed_at >= epoch_ms({from} - {leg_age})::TIMESTAMPTZ AND observed_at < epoch_ms({to})::TIMESTAMPTZ
),
-- A pair with the dollar: the mid where it was quoted that way round, else its reciprocal.
dollar_pairs AS (
  SELECT
    CASE WHEN {base} = 'USD' THEN currency ELSE 'USD' END AS symbol,
    observed,
    is_per_dollar = ({base} = 'USD') AS is_delivered,
    (observed_at, retrieved_at, feed, is_per_dollar <> ({base} = 'USD')) AS place,
    CASE WHEN is_per_dollar = ({base} = 'USD') THEN mid ELSE 1 / mid END AS value
  FROM ticks
  WHERE CASE WHEN {base} = 'USD' THEN currency IN ({symbols}) ELSE currency = {base} AND 'USD' IN ({symbols}) END
),
-- Legs of crosses, per dollar; of several ticks of one instant the last.
legs AS (
  SELECT
    currency, observed,
    arg_max(
      CASE WHEN is_per_dollar THEN mid ELSE 1 / mid END, (observed_at, retrieved_at, feed, NOT is_per_dollar)
    ) AS value
  FROM ticks
  WHERE {base} <> 'USD' AND (currency = {base} OR currency IN ({symbols}))
  GROUP BY currency, observed
),
base_leg AS (SELECT observed, value FROM legs WHERE currency = {base}),
symbol_legs AS (SELECT currency AS symbol, observed, value FROM legs WHERE currency <> {base}),
-- Each instant at which either leg has a tick.
instants AS (
  SELECT symbol, observed FROM symbol_legs
  UNION
  SELECT symbol, observed FROM base_leg, (SELECT DISTINCT symbol FROM symbol_legs)
),
crosses AS (
  SELECT
    instants.symbol, instants.observed, symbol_legs.value / base_leg.value AS value
  FROM instants
  ASOF JOIN symbol_legs ON symbol_legs.symbol = instants.symbol AND symbol_legs.observed <= instants.observed
  ASOF JOIN base_leg ON base_leg.observed <= instants.observed
  WHERE instants.observed - symbol_legs.observed <= {leg_age} AND instants.observed - base_leg.observed <= {leg_age}
),
grouped AS (
  SELECT
    symbol,
    observed // {width} * {width} AS start,
    bool_and(is_delivered) AS is_delivered,
    [arg_min(value, place), max(value), min(value), arg_max(value, place)] AS prices,
    sum((value * pow(2::DOUBLE, 72))::HUGEINT) AS total,
    count(*) AS ticks
  FROM dollar_pairs
  WHERE observed >= {from} AND observed < {to}
  GROUP BY ALL
  UNION ALL
  SELECT
    symbol,
    observed // {width} * {width} AS start,
    false AS is_delivered,
    [arg_min(value, observed), max(value), min(value), arg_max(value, observed)] AS prices,
    sum((value * pow(2::DOUBLE, 72))::HUGEINT) AS total,
    count(*) AS ticks
  FROM crosses
  WHERE observed >= {from} AND observed < {to}
  GROUP BY ALL
),
-- The mean from the exact total: its upper and its lower 53 bits are doubles without loss, their sum is rounded once.
averaged AS (
  SELECT
    *,
    ((total // pow(2::DOUBLE, 53)::HUGEINT)::DOUBLE * pow(2::DOUBLE, 53)
      + (total % pow(2::DOUBLE, 53)::HUGEINT)::DOUBLE) / pow(2::DOUBLE, 72) / ticks AS mean
  FROM grouped
),
-- Ten significant digits, half-even, which is how a double becomes a whole number; what is a tie but for the error of a
-- double is taken for one. Near a power of ten the logarithm may err by one.
guessed AS (
  SELECT
    *,
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
      1e20, 1e21, 1e22]::DOUBLE[] AS tens
  FROM averaged
),
rounded AS (
  SELECT
    *,
    list_transform(
      list_transform(
        list_transform(
          list_append(prices, mean),
          lambda value: {'value': value, 'scale': greatest(0, least(22, 9 - floor(log10(value))::INTEGER))}
        ),
        lambda guess: {
          'value': guess.value,
          'power': tens[guess.scale + 1 + CASE
            WHEN guess.value * tens[guess.scale + 1] >= 1e10 AND guess.scale > 0 THEN -1
            WHEN guess.value * tens[guess.scale + 1] < 1e9 AND guess.scale < 22 THEN 1
            ELSE 0
          END]
        }
      ),
      lambda sure: (CASE
        WHEN abs(sure.value * sure.power - floor(sure.value * sure.power) - 0.5) < 1e-5
        THEN floor(sure.value * sure.power) + 0.5
        ELSE sure.value * sure.power
      END)::HUGEINT::DOUBLE / sure.power
    ) AS computed
  FROM guessed
),
final AS (
  SELECT symbol, start, ticks, CASE WHEN is_delivered THEN prices ELSE computed[1:4] END AS prices, computed[5] AS mean
  FROM rounded
)
SELECT
  epoch_ms(start)::TIMESTAMPTZ AS start, {base} AS base, symbol,
  prices[1] AS open, prices[2] AS high, prices[3] AS low, prices[4] AS close,
  greatest(prices[3], least(prices[2], mean)) AS mean,
  ticks
FROM final
ORDER BY symbol, start
