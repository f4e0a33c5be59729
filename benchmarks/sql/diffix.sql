SELECT count(*) FROM customers
SELECT count(id), count(DISTINCT id) FROM customers
SELECT city, count(*) FROM customers GROUP BY city
SELECT city, count(*) FROM customers GROUP BY 1 ORDER BY 1
SELECT city, count(DISTINCT id) FROM customers GROUP BY 1 ORDER BY 2 DESC
SELECT city FROM customers GROUP BY city
SELECT DISTINCT city FROM customers
SELECT city, discount, count(*) FROM customers GROUP BY city, discount
SELECT floor(discount) AS d, count(*) FROM customers GROUP BY 1
SELECT round(discount, 1) AS d, count(*) FROM customers GROUP BY d
SELECT ceil(discount / 2) * 2 AS d, count(*) FROM customers GROUP BY d
SELECT width_bucket(discount, 0, 10, 5) AS b, count(*) FROM customers GROUP BY b
SELECT substring(last_name, 1, 1) AS l, count(*) FROM customers GROUP BY l
SELECT left(last_name, 2) AS l, count(*) FROM customers GROUP BY l HAVING count(*) > 5
SELECT length(city) AS l, count(*) FROM customers GROUP BY l
SELECT count(*) FROM customers WHERE city = 'Berlin'
SELECT count(*) FROM customers WHERE city <> 'Berlin' AND discount BETWEEN 1 AND 3
SELECT city, count(*) FROM customers GROUP BY city HAVING length(city) > 4
SELECT city, count(*) FROM customers GROUP BY city HAVING city <> 'Rome'
SELECT count(*), 2 * count(*) AS twice FROM customers
SELECT city, sum(discount), avg(discount) FROM customers GROUP BY city
SELECT sum(discount) FROM customers WHERE planet = 'Earth'
SELECT c.city, count(*) FROM customers c JOIN purchases p ON c.id = p.cid GROUP BY c.city
SELECT c.city, count(DISTINCT c.id) FROM customers c INNER JOIN purchases p ON p.cid = c.id GROUP BY c.city
SELECT count(*) FROM customers c LEFT JOIN purchases p ON c.id = p.cid
SELECT count(c.id) FROM customers c, purchases p WHERE c.id = p.cid
SELECT r.name, count(*) FROM purchases p JOIN products r ON p.pid = r.id GROUP BY r.name
SELECT r.name, count(DISTINCT c.id) FROM customers c JOIN purchases p ON c.id = p.cid JOIN products r ON p.pid = r.id GROUP BY r.name
SELECT c.city, r.name, sum(p.amount) FROM customers c JOIN purchases p ON c.id = p.cid JOIN products r ON p.pid = r.id GROUP BY 1, 2
SELECT count(*) FROM (SELECT city, discount FROM customers WHERE discount > 1) x
SELECT x.city, count(*) FROM (SELECT id, city FROM customers) x GROUP BY x.city
SELECT x.n, count(*) FROM (SELECT cid, count(*) AS n FROM purchases GROUP BY cid) x GROUP BY x.n
SELECT avg(n) FROM (SELECT cid, count(*) AS n FROM purchases GROUP BY cid) x
SELECT count(*) FROM (SELECT city, count(*) AS n FROM customers GROUP BY city) x
SELECT x.city, x.n FROM (SELECT city, count(*) AS n FROM customers GROUP BY city) x WHERE x.n > 10 ORDER BY x.n DESC
SELECT max(n), min(n) FROM (SELECT city, count(*) AS n FROM customers GROUP BY city) x
SELECT city, count(*) AS n FROM customers GROUP BY city ORDER BY n DESC LIMIT 1
SELECT count(DISTINCT city) FROM customers
SELECT count(DISTINCT last_name), count(last_name) FROM customers
SELECT extract(year FROM day) AS y, count(*) FROM purchases GROUP BY y
SELECT date_trunc('month', day) AS m, count(*) FROM purchases GROUP BY m ORDER BY m
SELECT city, count(*) FILTER (WHERE discount > 1) FROM customers GROUP BY city
SELECT count(*) FROM customers WHERE city IN ('Berlin', 'Rome') OR city IS NULL
SELECT CASE WHEN discount > 1 THEN 'much' ELSE 'little' END AS d, count(*) FROM customers GROUP BY d
SELECT city, count(*), row_number() OVER (ORDER BY count(*) DESC) AS place FROM customers GROUP BY city
SELECT city, discount > 1 AS much, count(*) FROM customers GROUP BY ROLLUP (city, discount > 1)
SELECT city, planet, count(*) FROM customers GROUP BY GROUPING SETS ((city), (planet), ())
SELECT city, planet, count(*) FROM customers GROUP BY CUBE (city, planet)
SELECT stddev(discount) FROM customers
SELECT cast(discount AS integer) AS d, count(*) FROM customers GROUP BY 1
SELECT round(avg(discount)::numeric, 2) AS a FROM customers
SELECT city, count(*) * 1.0 / (SELECT count(*) FROM customers) AS share FROM customers GROUP BY city
