SELECT date_trunc('month', placed_at) AS m, channel, sum(amount) AS rev, sum(sum(amount)) OVER (PARTITION BY channel ORDER BY date_trunc('month', placed_at)) AS running FROM sales GROUP BY 1, 2
WITH m AS (SELECT date_trunc('month', placed_at) AS month, channel, sum(amount) AS rev FROM sales GROUP BY 1, 2), t AS (SELECT month, sum(rev) AS total FROM m GROUP BY month) SELECT m.month, channel, rev / total AS share FROM m JOIN t USING (month)
SELECT channel, sum(amount) AS rev FROM sales WHERE placed_at BETWEEN '2013-07-01' AND '2013-07-31' GROUP BY channel ORDER BY rev DESC
SELECT count(distinct buyer) FILTER (WHERE channel = 'web') AS web_buyers FROM sales
SELECT count(*) FROM sales WHERE extract(dow FROM placed_at) IN (0, 6)
SELECT avg(amount) AS aov, sum(amount) / count(distinct buyer) AS arpu FROM sales
SELECT cohort, count(*) FROM (SELECT buyer, date_trunc('month', min(placed_at)) AS cohort FROM sales GROUP BY buyer) c GROUP BY cohort
WITH firsts AS (SELECT buyer, min(placed_at) AS first_at FROM sales GROUP BY buyer) SELECT date_trunc('month', f.first_at) AS cohort, date_diff('month', f.first_at, s.placed_at) AS age, count(distinct s.buyer) FROM sales s JOIN firsts f ON f.buyer = s.buyer GROUP BY 1, 2
SELECT status, count(*) * 100.0 / sum(count(*)) OVER () AS pct FROM sales GROUP BY status ORDER BY pct DESC
SELECT count(*) FROM sales WHERE placed_at >= now() - interval '7 days'
-- SELECT string_agg(channel, ',') FROM sales: lists values of people
SELECT channel, first_value(sum(amount)) OVER (ORDER BY sum(amount) DESC) FROM sales GROUP BY channel
SELECT coalesce(segment, 'unknown') AS segment, sum(amount) FROM sales LEFT JOIN buyers USING (buyer) GROUP BY 1
SELECT max(placed_at) FROM sales
SELECT min(placed_at)::date AS since FROM sales
SELECT 'total' AS what, count(*) FROM sales UNION SELECT status, count(*) FROM sales GROUP BY status
SELECT repeat_buyers * 1.0 / buyers FROM (SELECT count(*) AS buyers, count(*) FILTER (WHERE n > 1) AS repeat_buyers FROM (SELECT buyer, count(*) AS n FROM sales GROUP BY buyer) a) b
SELECT date_part('year', placed_at)::int AS y, count(*) FROM sales GROUP BY y
SELECT to_char(placed_at, 'YYYY-"Q"Q') AS q, count(*) FROM sales GROUP BY 1
SELECT to_char(placed_at, 'Day') AS d, count(*) FROM sales GROUP BY 1
SELECT to_char(placed_at, 'YYYY') AS d, count(*) FROM sales GROUP BY 1
SELECT date(placed_at) AS d, count(*) AS n, avg(count(*)) OVER (ORDER BY date(placed_at) ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) FROM sales GROUP BY d ORDER BY d
SELECT channel, sum(amount) FILTER (WHERE status = 'paid') - sum(discount) AS net FROM sales GROUP BY channel
SELECT year(placed_at) AS y, month(placed_at) AS m, sum(amount) FROM sales GROUP BY rollup (y, m)
SELECT channel, count(*) FROM sales GROUP BY channel HAVING count(*) > (SELECT avg(n) FROM (SELECT count(*) AS n FROM sales GROUP BY channel) z)
select channel, count(1) from sales group by channel order by count(1) desc limit 2
SELECT sum(amount) AS "Total Revenue" FROM sales s WHERE s.channel NOT IN ('phone')
SELECT avg(amount), avg(distinct amount) FROM sales
SELECT channel || '-' || status AS key, count(*) FROM sales GROUP BY 1
-- SELECT EXISTS (SELECT 1 FROM sales WHERE amount > 499): one row decides it
SELECT count(*) > 100 AS many FROM sales
SELECT count(*) FROM sales WHERE status = ANY (ARRAY['paid', 'open'])
SELECT count(*) FROM sales WHERE (channel, status) IN (('web', 'paid'), ('shop', 'open'))
SELECT s.channel, b.segment, sum(s.amount) FROM sales AS s FULL OUTER JOIN buyers AS b ON s.buyer = b.buyer GROUP BY 1, 2
-- SELECT count(*) FROM sales TABLESAMPLE 10 PERCENT: draws rows at random
-- SELECT count(*) FROM sales USING SAMPLE 10%: draws rows at random
SELECT channel, count(*) FROM sales GROUP BY channel LIMIT 50 PERCENT
SELECT width_bucket(amount, 0, 500, 5) * 100 AS upto, count(*) FROM sales GROUP BY 1 ORDER BY 1
SELECT month, sum(rev) OVER (ORDER BY month) / sum(rev) OVER () AS cum_share FROM (SELECT date_trunc('month', placed_at) AS month, sum(amount) AS rev FROM sales GROUP BY 1) q
SELECT round(avg(amount), 2) AS avg, round(median(amount)) AS med FROM sales WHERE amount > 0 AND status != 'void'
SELECT age_band, count(*) FROM (SELECT *, CASE WHEN amount > 100 THEN 'big' ELSE 'small' END AS age_band FROM sales) t GROUP BY age_band
SELECT count(*) total, sum(case when status='paid' then 1 else 0 end) paid, 1.0*sum(case when status='paid' then 1 else 0 end)/count(*) rate FROM sales
SELECT kurtosis(amount), skewness(amount) FROM sales
SELECT max(amount) - min(amount) AS range FROM sales
-- SELECT ARG_MAX(channel, amount) FROM sales: tells one person's value
SELECT GEOMEAN(amount) FROM sales
SELECT exp(avg(ln(greatest(amount, 1)))) AS geomean FROM sales
SELECT date_trunc('week', placed_at) AS week, count(distinct buyer) AS b FROM sales WHERE placed_at > date '2013-06-01' GROUP BY week ORDER BY week DESC LIMIT 4
SELECT epoch(placed_at) AS e, count(*) FROM sales GROUP BY 1
SELECT ntile, avg(m) FROM (SELECT channel, avg(amount) AS m, ntile(2) OVER (ORDER BY avg(amount)) AS ntile FROM sales GROUP BY channel) GROUP BY ntile
