SELECT u.city, AVG((SELECT COUNT(*) FROM order_table o WHERE o.user_id = u.id)) AS orders FROM user_table u GROUP BY u.city
SELECT COUNT(*) FROM user_table u WHERE (SELECT SUM(o.amount) FROM order_table o WHERE o.user_id = u.id) > 100
SELECT AVG(n) FROM (SELECT u.id, (SELECT COUNT(*) FROM order_table o WHERE o.user_id = u.id AND o.amount > 10) AS n FROM user_table u) x
SELECT CASE WHEN EXISTS (SELECT 1 FROM order_table o WHERE o.user_id = u.id) THEN 'buyer' ELSE 'none' END AS kind, COUNT(*) FROM user_table u GROUP BY 1
SELECT COUNT(*) FROM user_table u WHERE u.age > 60 OR u.id IN (SELECT user_id FROM order_table WHERE amount > 50)
WITH t AS (SELECT user_id, SUM(amount) AS s FROM order_table WHERE amount > 0 GROUP BY user_id) SELECT city, AVG(COALESCE(s, 0)) FROM user_table LEFT JOIN t ON id = user_id GROUP BY city
SELECT city, COUNT(*) AS n, SUM(CASE WHEN income > 1000 THEN 1 END) AS rich FROM my_schema.user_table GROUP BY city
SELECT EXTRACT(YEAR FROM o.day) AS y, SUM(o.amount) / COUNT(DISTINCT o.user_id) FROM order_table AS o GROUP BY y
SELECT age, income_mean FROM (SELECT FLOOR(age / 5) * 5 AS age, AVG(income) AS income_mean FROM user_table GROUP BY 1) t WHERE income_mean > 100 ORDER BY age
SELECT c.category, COUNT(DISTINCT o.user_id) FROM order_table o LEFT JOIN item_table c ON c.item = o.item GROUP BY c.category
SELECT STDDEV(total) / AVG(total) AS cv FROM (SELECT user_id, SUM(amount) AS total FROM order_table GROUP BY user_id) t
SELECT VARIANCE(age) + 1, 2 * AVG(age) FROM user_table WHERE city = 'Paris' AND age IS NOT NULL
SELECT COUNT(*) FROM (SELECT id FROM user_table UNION SELECT user_id FROM order_table) x
