-- Decimal text of a rate, digit for digit as the JSON pages print it. `rate` is the double nearest to a decimal of `scale`
-- places and at most 15 digits, so that it prints as those very digits wherever it prints without an exponent.
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
CREATE MACRO rate_text(rate, scale, flags) AS CASE
  WHEN flags & 8 = 8 THEN NULL
  WHEN flags & 4 = 4 THEN padded_text(rate, scale)
  WHEN rate = floor(rate) THEN rate::BIGINT::VARCHAR
  WHEN rate >= 1e-4 THEN rate::VARCHAR
  ELSE rtrim(padded_text(rate, scale), '0')
END;
CREATE MACRO rate_double(rate, flags) AS CASE WHEN flags & 8 = 8 THEN NULL ELSE rate END;
CREATE MACRO bound_double(bound) AS CASE WHEN isnan(bound) THEN NULL ELSE bound END;
CREATE MACRO source_name(source) AS CASE source WHEN 0 THEN 'ecb_daily' ELSE 'fred_daily' END;
-- ISO 8601 in UTC with milliseconds; past the calendar of the time zone library, which takes longer.
CREATE MACRO instant_text(instant) AS strftime(make_timestamp(epoch_us(instant)), '%Y-%m-%dT%H:%M:%S.%gZ')
