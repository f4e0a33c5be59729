SELECT city, bucket_width, COUNT(*) FROM (SELECT city, WIDTH_BUCKET(discount, 0, 10, 5) AS bucket_width FROM customers) x GROUP BY 1, 2
SELECT SUBSTRING(last_name, 1, 1) AS initial, COUNT(*) FROM customers GROUP BY 1
SELECT count(distinct customers.id), avg(amount) FROM customers LEFT JOIN purchases ON customers.id = purchases.cid WHERE city = 'Berlin'
SELECT city, round(avg(discount)::numeric, 1) FROM customers GROUP BY city
SELECT products.name, count(*), sum(amount) FROM purchases JOIN products ON products.id = purchases.pid GROUP BY products.name HAVING sum(amount) > 10
SELECT floor(amount / 10) * 10 AS lo, floor(amount / 10) * 10 + 10 AS hi, count(*) FROM purchases GROUP BY lo, hi
SELECT city, planet, count(*) FROM customers GROUP BY CUBE (city, planet) ORDER BY city NULLS FIRST
SELECT date_trunc('quarter', day)::date, sum(amount) FROM purchases GROUP BY 1
SELECT cid % 10 AS sample, count(*) FROM purchases GROUP BY 1
-- SELECT * FROM customers: lists people
-- SELECT last_name FROM customers LIMIT 5: lists people
SELECT count(*) FROM customers WHERE id = 7
SELECT city, count(*) AS n, 100 * count(*) / (SELECT count(*) FROM customers) AS pct FROM customers GROUP BY city
-- SELECT city, (SELECT count(*) FROM purchases p WHERE p.cid = c.id) FROM customers c: lists people
SELECT count(*) FROM customers c WHERE (SELECT count(*) FROM purchases p WHERE p.cid = c.id) > 2
SELECT count(*) FROM customers c WHERE c.discount > (SELECT avg(discount) FROM customers d WHERE d.city = c.city)
SELECT count(*) FROM purchases WHERE day > (SELECT max(day) FROM purchases) - INTERVAL '30 days'
SELECT count(*) FROM purchases WHERE amount >= (SELECT quantile_cont(amount, 0.9) FROM purchases)
