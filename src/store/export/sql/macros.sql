-- Decimal text of a rate, digit for digit as the JSON pages print it. `rate` is the double nearest to a decimal of `scale`
-- places and at most 15 digits: without an exponent it prints as those very digits.
CREATE MACRO whole_digits(rate, scale) AS
  lpad(round(rate * pow(10.0, scale))::HUGEINT::VARCHAR, greatest(scale + 1, length(round(rate * pow(10.0, scale))::HUGEINT::VARCHAR))::INTEGER, '0');
CREATE MACRO padded_text(rate, scale) AS CASE scale
  WHEN 0 THEN rate::BIGINT::VARCHAR
  WHEN 1 THEN rate::DECIMAL(18, 1)::VARCHAR
  WHEN 2 THEN rate::DECIMAL(18, 2)::VARCHAR
  WHEN 3 THEN rate::DECIMAL(18, 3)::VARCHAR
  WHEN 4 THEN rate::DECIMAL(18, 4)::VARCHAR
  WHEN 5 THEN rate::DECIMAL(18, 5)::VARCHAR
  WHEN 6 THEN rate::DECIMAL(18, 6)::VARCHAR
  ELSE left(whole_digits(rate, scale), -scale::INTEGER) || '.' || right(whole_digits(rate, scale), scale::INTEGER)
END;
CREATE MACRO rate_text(rate, scale, is_published) AS CASE
  WHEN is_published THEN padded_text(rate, scale)
  WHEN rate = floor(rate) THEN rate::BIGINT::VARCHAR
  WHEN rate >= 1e-4 THEN rate::VARCHAR
  ELSE rtrim(padded_text(rate, scale), '0')
END;
-- Decimal text of a price of at most 15 digits: a double below 1e-4 would print with an exponent.
CREATE MACRO price_text(price) AS rate_text(price, 14 - floor(log10(price))::INTEGER, false);
CREATE MACRO source_name(source) AS CASE source WHEN 0 THEN 'ecb_daily'::daily_source ELSE 'fred_daily'::daily_source END;
-- ISO 8601 in UTC with milliseconds. make_timestamp avoids the calendar of the time zone library, which is slower.
CREATE MACRO instant_text(instant) AS strftime(make_timestamp(epoch_us(instant)), '%Y-%m-%dT%H:%M:%S.%gZ');
CREATE MACRO hub_of(source) AS CASE source WHEN 0 THEN 'EUR'::currency ELSE 'USD'::currency END;
CREATE MACRO place(day, source) AS (day - DATE '1970-01-01')::INTEGER * 2 + source::INTEGER;
-- The largest factor on a rate by a figure with a relative error of at most `error`.
CREATE MACRO error_factor(error, multiplies) AS CASE WHEN multiplies THEN 1 + error ELSE 1 / (1 - error) END;
-- 10 to a whole power from 0 to 22, exactly; otherwise null. A look-up takes a fifth of the time of pow().
CREATE MACRO ten(power) AS list_extract([1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22], power::INTEGER + 1);
-- n / d rounded half-even, all whole numbers; `low` is the quotient rounded down, or a neighbour of it that is as near.
CREATE MACRO half_even(n, d, low) AS low + (2 * n - (2 * low + 1) * d + low % 2 > 0)::INTEGER;
-- Whole numbers in doubles, multiplied exactly.
CREATE MACRO product_of(a, b, c) AS a::HUGEINT * b::HUGEINT * c::HUGEINT;
CREATE MACRO whole_ten(power) AS pow(10.0, power)::HUGEINT;
-- Decimal places for ten significant digits. Near a power of ten it may be one off; the rounded value is that power anyway.
CREATE MACRO places_of(quotient) AS 9 - floor(log10(quotient));
-- n / d rounded half-even to units of 10^-places; an overflow is an error.
CREATE MACRO whole_units(n, d, places) AS
  half_even(n * whole_ten(greatest(places, 0)), d * whole_ten(greatest(-places, 0)), floor(n / d * pow(10.0, places))::HUGEINT);
-- The double nearest to units / 10^places, units whole.
CREATE MACRO decimal_rate(units, places) AS (units || 'e' || (-places)::INTEGER)::DOUBLE
