SELECT sex, educ, COUNT(*) AS n, AVG(income) FROM PUMS.PUMS WHERE age BETWEEN 25 AND 65 GROUP BY sex, educ HAVING COUNT(*) > 5 ORDER BY n DESC
SELECT CASE WHEN age < 18 THEN 'child' WHEN age < 65 THEN 'adult' ELSE 'senior' END AS grp, AVG(income) AS m, STDDEV_SAMP(income) AS s FROM PUMS GROUP BY grp
SELECT COUNT(*) FILTER (WHERE married = 1) / COUNT(*)::float AS share_married FROM PUMS
SELECT sex, SUM(income) / SUM(SUM(income)) OVER () AS share FROM PUMS GROUP BY sex
SELECT educ, COUNT(*) AS n, RANK() OVER (ORDER BY COUNT(*) DESC) AS r FROM PUMS GROUP BY educ ORDER BY r LIMIT 3
SELECT COUNT(*) FROM PUMS WHERE income > (SELECT AVG(income) FROM PUMS)
SELECT COUNT(DISTINCT educ) AS levels, COUNT(DISTINCT race) FROM PUMS WHERE married
SELECT sex, MEDIAN(income) - AVG(income) AS skew FROM PUMS GROUP BY sex
SELECT MODE(educ) FROM PUMS
SELECT MODE() WITHIN GROUP (ORDER BY educ) FROM PUMS
-- SELECT NTILE(4) OVER (ORDER BY age) AS q, COUNT(*) FROM PUMS GROUP BY 1: numbers the rows of people
SELECT age / 10 AS decade, COUNT(*) FROM PUMS GROUP BY age / 10
SELECT race, AVG(income) FROM PUMS GROUP BY race HAVING AVG(income) > (SELECT AVG(income) FROM PUMS)
SELECT AVG(CASE WHEN income > 50000 THEN 1.0 ELSE 0.0 END) AS rich FROM PUMS
SELECT SUM(income * married) / SUM(married) FROM PUMS
SELECT COVAR_POP(age, income) FROM PUMS
SELECT REGR_SLOPE(income, age) FROM PUMS
SELECT VAR_POP(age), AVG(age * age) - AVG(age) * AVG(age) AS by_hand FROM PUMS
SELECT sex, percentile_cont(array[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY income) FROM PUMS GROUP BY sex
SELECT QUANTILE_CONT(income, [0.25, 0.5, 0.75]) FROM PUMS
SELECT * FROM (SELECT sex, AVG(income) AS m FROM PUMS GROUP BY sex) t WHERE m = (SELECT MAX(m) FROM (SELECT sex, AVG(income) AS m FROM PUMS GROUP BY sex) u)
SELECT HISTOGRAM(educ) FROM PUMS
-- SELECT ANY_VALUE(sex) FROM PUMS: tells one person's value
SELECT COUNT(*) FROM PUMS HAVING COUNT(*) > 10
SELECT COUNT(*) FROM PUMS WHERE married
-- SELECT COUNT(*) FROM PUMS HAVING married: is no SQL, since married stands for many rows
-- SELECT educ FROM PUMS GROUP BY educ HAVING married: is no SQL, since married stands for many rows
SELECT VAR(income) FROM PUMS
SELECT SUM(income) FROM PUMS WHERE sex = 1
SELECT sex = '1' AS female, COUNT(*) FROM PUMS GROUP BY 1
SELECT race, sex, COUNT(*) FROM PUMS GROUP BY GROUPING SETS ((race), (sex), ())
