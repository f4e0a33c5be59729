SELECT c_mktsegment, AVG(c_acctbal) FROM customer WHERE c_acctbal > (SELECT AVG(c_acctbal) FROM customer WHERE c_acctbal > 0.00) GROUP BY 1
SELECT COUNT(DISTINCT o_custkey) FROM orders WHERE o_orderdate > DATE '1995-01-01'
SELECT YEAR(o_orderdate) AS y, QUARTER(o_orderdate) AS q, COUNT(*) FROM orders GROUP BY 1, 2
SELECT AVG(l_receiptdate - l_commitdate) AS late FROM lineitem
SELECT SUM(l_quantity) FROM lineitem WHERE l_quantity < 0.5 * (SELECT AVG(l_quantity) FROM lineitem)
SELECT n_name, COUNT(*) FROM customer JOIN nation ON c_nationkey = n_nationkey GROUP BY n_name ORDER BY 2 DESC
SELECT o_orderstatus, COUNT(*) FROM orders WHERE o_custkey IN (SELECT c_custkey FROM customer WHERE c_mktsegment = 'BUILDING') GROUP BY 1
