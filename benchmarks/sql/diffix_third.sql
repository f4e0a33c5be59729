SELECT count(*) FROM customers c WHERE (SELECT count(*) FROM purchases p WHERE p.cid = c.id AND p.amount > 20) >= 2
SELECT city, avg(n) FROM (SELECT c.city, c.id, count(p.pid) AS n FROM customers c LEFT JOIN purchases p ON p.cid = c.id GROUP BY c.city, c.id) t GROUP BY city
SELECT city, sum((SELECT sum(amount) FROM purchases p WHERE p.cid = c.id)) FROM customers c GROUP BY city
SELECT count(*) FROM customers c WHERE NOT EXISTS (SELECT 1 FROM purchases p WHERE p.cid = c.id) OR discount > 5
SELECT trunc(discount) AS d, count(*) FROM customers GROUP BY d
SELECT round(discount, -1) AS d, count(*) FROM customers GROUP BY 1
SELECT public.customers.city, count(*) FROM public.customers GROUP BY public.customers.city
SELECT left(last_name, 1) AS l, count(*) FROM customers WHERE last_name IS NOT NULL GROUP BY l HAVING count(*) > 3
SELECT pg_catalog.count(*) FROM customers
SELECT ceil(amount) AS c, count(distinct cid) FROM purchases GROUP BY c
SELECT floor_by(amount, 10) AS c, count(*) FROM purchases GROUP BY 1
SELECT city, count(*), count(distinct id), avg(discount), stddev(discount) FROM customers GROUP BY 1 ORDER BY 1
SELECT date_trunc('month', day) AS m, sum(amount) AS s FROM purchases GROUP BY m ORDER BY m
SELECT city, planet, sum(discount) FROM customers GROUP BY GROUPING SETS ((city, planet), (city), ())
SELECT substring(last_name FROM 1 FOR 2), count(*) FROM customers GROUP BY 1
SELECT max(n) FROM (SELECT cid, count(*) AS n FROM purchases GROUP BY cid) t
SELECT extract(isodow from day)::int, count(*) FROM purchases GROUP BY 1
SELECT count(*) FROM customers WHERE last_name SIMILAR TO 'B%'
