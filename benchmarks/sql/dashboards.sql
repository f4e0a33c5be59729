SELECT DATE_TRUNC('month', "placed_at") AS "__timestamp", SUM("amount") AS "SUM(amount)" FROM "public"."sales" WHERE "placed_at" >= TIMESTAMP '2013-07-01 00:00:00' AND "placed_at" < TIMESTAMP '2013-09-01 00:00:00' GROUP BY DATE_TRUNC('month', "placed_at") ORDER BY "SUM(amount)" DESC LIMIT 1000
SELECT "sales"."channel" AS "channel", COUNT(*) AS "count" FROM "sales" WHERE ("sales"."status" <> 'void' OR "sales"."status" IS NULL) GROUP BY "sales"."channel" ORDER BY "count" DESC, "sales"."channel" ASC LIMIT 10
SELECT CAST(DATE_TRUNC('week', "placed_at") AS DATE) AS week, AVG(amount) AS "Average of amount" FROM sales GROUP BY 1 ORDER BY 1 NULLS LAST
SELECT "source"."channel" AS "channel", SUM("source"."net") AS "sum" FROM (SELECT "sales"."channel" AS "channel", ("sales"."amount" - "sales"."discount") AS "net" FROM "sales") "source" GROUP BY "source"."channel" ORDER BY "source"."channel" ASC
SELECT SUM(1) AS "cnt:Number of Records", "channel" AS "channel" FROM "sales" GROUP BY 2
SELECT SUM(CASE WHEN channel = 'web' THEN amount ELSE 0 END) AS web, SUM(CASE WHEN channel = 'shop' THEN amount END) AS shop FROM sales
SELECT status, COUNT(*) FILTER (WHERE channel = 'web') AS web, COUNT(*) FILTER (WHERE channel = 'shop') AS shop, AVG(amount) FILTER (WHERE amount > 10) AS larger FROM sales GROUP BY status
SELECT COUNT_IF(amount > 100) AS large, COUNT_IF(status = 'paid') * 1.0 / COUNT(*) AS paid_share FROM sales
SELECT channel, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY amount) AS p50, PERCENTILE_CONT(0.95) WITHIN GROUP (ORDER BY amount) AS p95 FROM sales GROUP BY channel
SELECT APPROX_PERCENTILE(amount, 0.9) AS p90 FROM sales
SELECT APPROX_COUNT_DISTINCT(buyer) AS buyers FROM sales
SELECT channel, COUNT(*) AS n FROM sales GROUP BY channel QUALIFY ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC) <= 2
WITH base AS (SELECT * FROM sales WHERE status = 'paid'), enriched AS (SELECT buyer, amount - COALESCE(discount, 0) AS net, channel FROM base), final AS (SELECT channel, SUM(net) AS revenue, COUNT(DISTINCT buyer) AS buyers FROM enriched GROUP BY 1) SELECT channel, revenue, revenue / NULLIF(buyers, 0) AS per_buyer FROM final ORDER BY revenue DESC
WITH source AS (SELECT * FROM sales), renamed AS (SELECT buyer AS buyer_id, amount::numeric AS amount, placed_at::date AS day FROM source) SELECT day, SUM(amount) AS total FROM renamed GROUP BY day ORDER BY day
SELECT COALESCE(status, 'unknown') AS status, COUNT(*) AS n FROM sales GROUP BY COALESCE(status, 'unknown')
SELECT COUNT(*) FROM sales WHERE status IS DISTINCT FROM 'void'
SELECT COUNT(*) FROM sales WHERE status IS NOT DISTINCT FROM 'paid'
SELECT AVG(NULLIF(discount, 0)) AS mean_discount FROM sales
SELECT channel, SUM(amount) AS total FROM sales WHERE amount BETWEEN 5 AND 50 GROUP BY channel HAVING total > 100 ORDER BY total DESC NULLS LAST LIMIT 5 OFFSET 1
SELECT EXTRACT(year FROM placed_at) AS y, EXTRACT(month FROM placed_at) AS m, COUNT(*) FROM sales GROUP BY 1, 2 ORDER BY y, m
SELECT CASE WHEN amount < 10 THEN 'small' WHEN amount < 100 THEN 'medium' ELSE 'large' END AS bucket, COUNT(*) AS n, ROUND(100.0 * COUNT(*) / SUM(COUNT(*)) OVER (), 1) AS pct FROM sales GROUP BY bucket
SELECT FLOOR(amount / 25) * 25 AS bin, COUNT(*) AS n FROM sales GROUP BY 1 ORDER BY 1
SELECT WIDTH_BUCKET(amount, 0, 500, 10) AS bin, COUNT(*) AS n FROM sales GROUP BY 1
SELECT DATE_PART('dow', placed_at) AS weekday, COUNT(*) FROM sales GROUP BY 1
SELECT TO_CHAR(placed_at, 'YYYY-MM') AS month, COUNT(*) FROM sales GROUP BY 1 ORDER BY 1
SELECT STRFTIME(placed_at, '%Y-%m') AS month, COUNT(*) FROM sales GROUP BY 1 ORDER BY 1
SELECT TIME_BUCKET(INTERVAL '7 days', placed_at) AS bucket, COUNT(*) FROM sales GROUP BY 1
SELECT COUNT(*) FROM sales WHERE placed_at::date = DATE '2013-07-04'
SELECT COUNT(*) FROM sales WHERE CAST(placed_at AS DATE) BETWEEN CAST('2013-07-01' AS DATE) AND CAST('2013-07-31' AS DATE)
SELECT channel, COUNT(*) AS n, SUM(COUNT(*)) OVER (ORDER BY channel ROWS UNBOUNDED PRECEDING) AS running FROM sales GROUP BY channel
SELECT day, n, AVG(n) OVER (ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS ma7 FROM (SELECT DATE_TRUNC('day', placed_at) AS day, COUNT(*) AS n FROM sales GROUP BY 1) d ORDER BY day
WITH monthly AS (SELECT DATE_TRUNC('month', placed_at) AS month, SUM(amount) AS revenue FROM sales GROUP BY 1) SELECT month, revenue, revenue - LAG(revenue) OVER (ORDER BY month) AS change, revenue / NULLIF(LAG(revenue) OVER (ORDER BY month), 0) - 1 AS growth FROM monthly
SELECT BOOL_OR(amount > 400) AS any_large FROM sales
SELECT channel, MIN(amount) AS least, MAX(amount) AS most, STDDEV(amount) AS sd FROM sales GROUP BY ALL ORDER BY ALL
SELECT COUNT(*) FROM sales WHERE amount > (SELECT AVG(amount) FROM sales)
SELECT channel, SUM(amount) / (SELECT SUM(amount) FROM sales) AS share FROM sales GROUP BY channel
SELECT IFNULL(channel, 'none') AS channel, IFF(SUM(amount) > 10, 'yes', 'no') AS busy FROM sales GROUP BY 1
SELECT channel, DATEDIFF('day', MIN(placed_at), MAX(placed_at)) AS days FROM sales GROUP BY channel
SELECT buyers.segment, COUNT(DISTINCT sales.buyer) AS buyers FROM sales LEFT JOIN buyers ON buyers.buyer = sales.buyer GROUP BY buyers.segment
SELECT COUNT(DISTINCT CASE WHEN status = 'paid' THEN buyer END) AS paying FROM sales
SELECT AVG(orders) AS orders_per_buyer FROM (SELECT buyer, COUNT(*) AS orders FROM sales GROUP BY buyer) AS x
SELECT orders, COUNT(*) AS buyers FROM (SELECT buyer, COUNT(*) AS orders FROM sales GROUP BY buyer) AS x GROUP BY orders ORDER BY orders
SELECT TOP 5 channel, COUNT(*) AS n FROM sales GROUP BY channel ORDER BY n DESC
SELECT channel, COUNT(*) AS n FROM sales GROUP BY channel ORDER BY n DESC FETCH FIRST 3 ROWS ONLY
SELECT DISTINCT channel FROM sales ORDER BY channel
SELECT channel, status, COUNT(*) FROM sales GROUP BY CUBE (channel, status)
SELECT * FROM (SELECT channel, status, amount FROM sales) PIVOT (SUM(amount) FOR status IN ('paid', 'open'))
SELECT CORR(amount, discount) FROM sales
SELECT channel, GREATEST(COUNT(*), 0) AS n, LEAST(AVG(amount), 100) AS m FROM sales GROUP BY channel
SELECT LOWER(TRIM(channel)) AS c, COUNT(*) FROM sales GROUP BY 1
SELECT COUNT(*) FROM sales WHERE channel ILIKE '%SHOP%' OR status LIKE 'p%'
SELECT COUNT(*) FROM sales WHERE placed_at >= CURRENT_DATE - INTERVAL '30 days'
SELECT SUM(amount) FROM sales WHERE DATE_TRUNC('month', placed_at) = DATE_TRUNC('month', DATE '2013-07-15')
SELECT SUM(amount * 1.19)::int AS gross, ROUND(AVG(amount)::numeric, 2) AS mean FROM sales
