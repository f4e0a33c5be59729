SELECT count(*) AS c FROM user_table
SELECT sum(amount) AS s FROM order_table
SELECT avg(age) AS a, stddev(age) AS s, var(age) AS v FROM user_table
SELECT city, count(*) AS c FROM user_table GROUP BY city
SELECT city, count(id) AS c, avg(income) AS a FROM user_table WHERE age > 18 GROUP BY city
SELECT count(DISTINCT city) AS c FROM user_table
SELECT sum(DISTINCT age) AS s, count(DISTINCT age) AS c, avg(DISTINCT age) AS a FROM user_table
WITH t AS (SELECT age, income FROM user_table WHERE age > 30) SELECT avg(income) AS a FROM t
WITH t1 AS (SELECT user_id, sum(amount) AS total FROM order_table GROUP BY user_id) SELECT avg(total) AS a FROM t1
WITH t1 AS (SELECT city, age FROM user_table), t2 AS (SELECT city, count(*) AS n FROM t1 GROUP BY city) SELECT * FROM t2
WITH t1 AS (SELECT city, count(*) AS n FROM user_table GROUP BY city), t2 AS (SELECT n, city FROM t1 WHERE n > 5) SELECT max(n) AS m FROM t2
WITH t1 AS (SELECT city, sum(income) AS s FROM user_table GROUP BY city), t2 AS (SELECT city, count(*) AS n FROM user_table GROUP BY city) SELECT t1.city, t1.s / t2.n AS mean FROM t1 JOIN t2 ON t1.city = t2.city
WITH t1 AS (SELECT city, sum(income) AS s FROM user_table GROUP BY city), t2 AS (SELECT city, count(*) AS n FROM user_table GROUP BY city) SELECT city, s, n FROM t1 NATURAL JOIN t2
SELECT u.city, sum(o.amount) AS s FROM user_table u JOIN order_table o ON u.id = o.user_id GROUP BY u.city
SELECT u.city, count(*) AS s FROM user_table AS u LEFT JOIN order_table AS o ON u.id = o.user_id GROUP BY u.city
SELECT u.city, avg(o.amount) AS s FROM order_table o RIGHT JOIN user_table u ON u.id = o.user_id GROUP BY u.city
SELECT sum(o.amount) AS s FROM user_table u, order_table o WHERE u.id = o.user_id AND u.age < 40
SELECT i.category, sum(o.amount) AS s FROM order_table o JOIN item_table i ON o.item = i.item GROUP BY i.category
SELECT category, sum(amount) AS s FROM order_table JOIN item_table USING (item) GROUP BY category
SELECT category, count(*) AS s FROM order_table NATURAL JOIN item_table GROUP BY category
SELECT CASE WHEN age < 30 THEN 0 ELSE 1 END AS old, count(*) AS c FROM user_table GROUP BY CASE WHEN age < 30 THEN 0 ELSE 1 END
SELECT CASE WHEN age < 30 THEN 0 ELSE 1 END AS old, count(*) AS c FROM user_table GROUP BY old
SELECT 2 * sum(income) + 1 AS s, sum(2 * income + 1) AS t FROM user_table
SELECT city, 100 * count(*) AS c FROM user_table GROUP BY city HAVING sum(income) > 100
SELECT city, count(*) AS c FROM user_table GROUP BY city ORDER BY c DESC LIMIT 3
SELECT city, count(*) AS c FROM user_table GROUP BY city ORDER BY c DESC LIMIT 3 OFFSET 1
SELECT count(*) AS c FROM user_table WHERE city IN ('Lyon', 'Paris') AND age IS NOT NULL
SELECT sum(exp(least(age, 10))) AS e, sum(ln(greatest(age, 1))) AS l, sum(sqrt(age)) AS q FROM user_table
SELECT city, least(count(*), 100) AS c, greatest(avg(income), 0) AS g FROM user_table GROUP BY city
SELECT count(*) AS c FROM user_table UNION SELECT count(*) AS c FROM order_table
SELECT city, count(*) AS n FROM user_table WHERE age < 30 GROUP BY city UNION ALL SELECT city, count(*) FROM user_table WHERE age >= 30 GROUP BY city
SELECT city, avg(income) AS m FROM user_table GROUP BY city EXCEPT SELECT city, avg(income) FROM user_table GROUP BY city
SELECT extract(year FROM o.day) AS y, sum(o.amount) AS s FROM order_table o GROUP BY extract(year FROM o.day)
SELECT extract(month FROM day) AS m, count(*) AS c FROM order_table GROUP BY 1 ORDER BY 1
SELECT concat(city, '!') AS t, count(*) AS c FROM user_table GROUP BY t
SELECT lower(city) AS t, count(*) AS c FROM user_table GROUP BY lower(city)
SELECT substr(city, 1, 2) AS t, count(*) AS c FROM user_table GROUP BY t
SELECT city || '-' || city AS t, count(*) AS c FROM user_table GROUP BY 1
SELECT count(*) AS c FROM user_table WHERE city LIKE 'P%' OR city ILIKE '%on'
SELECT count(*) AS c FROM (SELECT u.id, sum(o.amount) AS s FROM user_table u JOIN order_table o ON u.id = o.user_id GROUP BY u.id HAVING sum(o.amount) > 50) AS t
SELECT avg(x) AS a FROM (SELECT 2 * age AS x FROM user_table WHERE income > 10) AS t
SELECT round(avg(age), 2) AS r, ceil(avg(age)) AS c, floor(avg(age)) AS f, cast(avg(age) AS integer) AS i FROM user_table
SELECT sum(x * y) AS s FROM (SELECT age AS x, income AS y FROM user_table) AS t
SELECT count(*) FILTER (WHERE age > 30) AS c FROM user_table
SELECT coalesce(city, 'none') AS t, count(*) AS c FROM user_table GROUP BY 1
SELECT count(*) AS c FROM user_table WHERE age > 20 AND (income > 10 OR city = 'Lyon') AND NOT age = 33
SELECT u.id % 5 AS g, count(*) AS c FROM user_table u GROUP BY g
SELECT city, sum(income) / sum(age) AS ratio FROM user_table GROUP BY city
SELECT median(income) AS m FROM user_table
SELECT sum(CASE WHEN o.amount > 20 THEN 1 ELSE 0 END) AS large, count(*) AS c FROM order_table AS o
