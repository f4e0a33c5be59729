-- WITH spend AS (SELECT user_id, SUM(amount) AS total FROM order_table GROUP BY user_id) SELECT u.city, AVG(s.total), COUNT(*) FROM spend s INNER JOIN user_table u ON u.id = s.user_id GROUP BY u.city: asks about single people
SELECT u.city, COUNT(*) FROM user_table u WHERE u.id NOT IN (SELECT user_id FROM order_table) GROUP BY u.city
SELECT c.category, SUM(o.amount) FROM order_table o JOIN item_table c ON o.item = c.item GROUP BY c.category ORDER BY 2 DESC
SELECT city, AVG(age) FROM user_table WHERE age > 18 GROUP BY city UNION ALL SELECT 'all', AVG(age) FROM user_table WHERE age > 18
SELECT DATE_TRUNC('month', day) AS m, COUNT(DISTINCT user_id) AS mau FROM order_table GROUP BY m
SELECT MIN(day), MAX(day) FROM order_table
SELECT COUNT(*) FROM user_table u LEFT JOIN order_table o ON u.id = o.user_id WHERE o.user_id IS NULL
SELECT AVG(n) FROM (SELECT u.id, COUNT(o.item) AS n FROM user_table u LEFT JOIN order_table o ON u.id = o.user_id GROUP BY u.id) x
SELECT CASE WHEN n >= 3 THEN 'heavy' ELSE 'light' END AS kind, COUNT(*) FROM (SELECT user_id, COUNT(*) AS n FROM order_table GROUP BY user_id) t GROUP BY 1
SELECT AVG(amount) FROM order_table WHERE amount > (SELECT MEDIAN(amount) FROM order_table)
WITH a AS (SELECT AVG(income) AS m FROM user_table) SELECT COUNT(*) FROM user_table, a WHERE income > a.m
-- SELECT city, income / (SELECT AVG(income) FROM user_table) FROM user_table: lists people
SELECT COUNT(*) FROM user_table WHERE income > 1.5 * (SELECT STDDEV(income) FROM user_table) + (SELECT AVG(income) FROM user_table)
-- SELECT o1.user_id, COUNT(*) FROM order_table o1 GROUP BY o1.user_id: asks about single people
-- SELECT user_id, SUM(amount) FROM order_table GROUP BY user_id ORDER BY 2 DESC LIMIT 5: asks about single people
SELECT item, COUNT(*) FROM order_table GROUP BY item HAVING COUNT(*) >= 5
SELECT AVG(cnt), STDDEV(cnt) FROM (SELECT user_id, COUNT(DISTINCT item) AS cnt FROM order_table GROUP BY user_id) s
SELECT COUNT(*) FROM (SELECT DISTINCT user_id, item FROM order_table) s
SELECT COUNT(*) FROM order_table a JOIN order_table b ON a.user_id = b.user_id AND a.item < b.item
SELECT first_day, COUNT(*) FROM (SELECT user_id, MIN(day) AS first_day FROM order_table GROUP BY user_id) f GROUP BY first_day
SELECT AVG(last - first) FROM (SELECT user_id, MIN(day) AS first, MAX(day) AS last FROM order_table GROUP BY user_id) f
-- SELECT user_id, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY day) AS rn FROM order_table: lists people
SELECT AVG(amount) FROM (SELECT amount, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY day) AS rn FROM order_table) t WHERE rn = 1
