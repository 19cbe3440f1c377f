-- The rows of a file, each judged: `fault` says why one is refused. `quotes` are its prices, in order: of a minute the open, then high and
-- low where they are neither open nor close, then the close unless all is in the open. A row with a bid and an ask has the bid in `quotes`.
-- In the encoding latin-1 every byte is a character: fields of no meaning may have any. A mark of the byte order is three of them.
CREATE OR REPLACE TEMP MACRO decimals_in(price) AS CASE WHEN contains(price, '.') THEN length(price) - instr(price, '.') ELSE 0 END;
CREATE OR REPLACE TEMP MACRO is_price(price) AS regexp_full_match(price, '[0-9]+(\.[0-9]+)?')
  AND length(ltrim(replace(price, '.', ''), '0')) BETWEEN 1 AND {digits} AND decimals_in(price) <= 22;
CREATE OR REPLACE TEMP MACRO instant_of(instant) AS strftime(make_timestamp(instant * 1000), '%Y-%m-%dT%H:%M:%S.%gZ');
-- The mean of two prices, exactly, while it has no more digits than a price: mean_units / 10^mean_decimals.
CREATE OR REPLACE TEMP MACRO whole_units(price, places) AS replace(price, '.', '')::DOUBLE * pow(10.0, places - decimals_in(price));
CREATE OR REPLACE TEMP MACRO mean_places(bid, ask) AS greatest(decimals_in(bid), decimals_in(ask));
CREATE OR REPLACE TEMP MACRO sum_units(bid, ask) AS
  whole_units(bid, mean_places(bid, ask)) + whole_units(ask, mean_places(bid, ask));
CREATE OR REPLACE TEMP MACRO mean_units(bid, ask) AS sum_units(bid, ask) * CASE WHEN sum_units(bid, ask) % 2 = 0 THEN 0.5e0 ELSE 5e0 END;
CREATE OR REPLACE TEMP MACRO mean_decimals(bid, ask) AS mean_places(bid, ask) + (sum_units(bid, ask) % 2)::INTEGER;
COPY (
  WITH lines AS (
    SELECT row_number() OVER () AS line, string_split(ltrim(coalesce(text, ''), 'ï»¿'), {separator}) AS fields
    FROM read_csv(
      {file}, columns = {'text': 'VARCHAR'}, header = false, auto_detect = false, delim = chr(1), quote = '', escape = '', comment = '',
      encoding = 'latin-1', parallel = false
    )
  ),
  timed AS (
    SELECT
      *, fields[{time}] AS time, list_select(fields, {places}) AS prices,
      CASE WHEN regexp_full_match(time, {pattern}) THEN epoch_ms(try_strptime(time, {format})) - {offset} END AS observed
    FROM lines
    WHERE line > {head}
  ),
  rows AS (
    SELECT
      *, lag(observed) OVER () AS earlier, TRY_CAST(prices AS DOUBLE[]) AS numbers,
      list_filter(prices, lambda price: NOT is_price(price))[1] AS wrong
    FROM timed
  )
  SELECT
    line, observed, observed - earlier AS step, list_min(numbers) AS least, list_max(numbers) AS greatest,
    CASE WHEN NOT {is_minutes} THEN prices[:1] ELSE prices[:1]
      || CASE WHEN numbers[2] IN (numbers[1], numbers[4]) THEN [] ELSE prices[2:2] END
      || CASE WHEN numbers[3] IN (numbers[1], numbers[4]) THEN [] ELSE prices[3:3] END
      || CASE WHEN numbers[1] = least AND numbers[1] = greatest THEN [] ELSE prices[4:] END
    END AS quotes,
    CASE WHEN {is_both} THEN prices[2] END AS ask,
    CASE
      WHEN len(fields) < {columns} THEN 'has ' || len(fields) || ' columns, not ' || {columns}
      WHEN observed IS NULL
        THEN to_json(left(time, 40)) || ' is not a time of the zone and form of the rows before'
      WHEN observed < earlier OR ({is_minutes} AND observed = earlier)
        THEN instant_of(observed) || ' is not after ' || instant_of(earlier) || ', the row before'
      WHEN observed < {from}
        THEN instant_of(observed) || ' is outside of what can be imported: not before ' || instant_of({from})
      WHEN observed >= {before}
        THEN instant_of(observed) || ' is outside of what can be imported: before ' || instant_of({before})
      WHEN {is_minutes} AND observed % 60000 <> 0 THEN 'a row with open, high, low and close is of a whole minute'
      WHEN wrong IS NOT NULL
        THEN to_json(left(wrong, 40)) || ' is not a price: a decimal above zero of at most {digits} digits'
      WHEN {is_minutes} AND NOT (numbers[2] = greatest AND numbers[3] = least)
        THEN 'its open or close is not between its low and its high'
      WHEN {is_both} AND numbers[1] > numbers[2] THEN 'its bid ' || prices[1] || ' is above its ask ' || prices[2]
      -- Of shorter ones it has at most fifteen.
      WHEN {is_both} AND length(prices[1]) + length(prices[2]) > 16
        AND NOT (mean_units(prices[1], prices[2]) < pow(10.0, {digits}) AND mean_decimals(prices[1], prices[2]) <= 22)
        THEN 'the mean of its bid and ask has more digits than a price'
    END AS fault
  FROM rows
) TO {target} (FORMAT parquet, ROW_GROUP_SIZE 8192)
