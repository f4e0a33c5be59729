SELECT date_trunc('day', placed_at AT TIME ZONE 'UTC') AS d, sum(amount) FROM sales GROUP BY 1
SELECT buyers.segment, avg((SELECT count(*) FROM sales s WHERE s.buyer = buyers.buyer)) AS orders FROM buyers GROUP BY 1
SELECT CAST(placed_at AS timestamp with time zone)::date AS d, count(*) FROM sales GROUP BY 1
SELECT count(*) FROM sales WHERE placed_at >= timestamp with time zone '2013-07-01 00:00:00+02:00'
SELECT sum(CASE WHEN s.buyer IN (SELECT buyer FROM buyers WHERE segment = 'new') THEN amount ELSE 0 END) AS new_rev FROM sales s
SELECT trunc(amount, -2) AS band, count(*) FROM sales GROUP BY 1
SELECT date_trunc('month', placed_at) AS m, count(distinct buyer, channel) FROM sales GROUP BY 1
