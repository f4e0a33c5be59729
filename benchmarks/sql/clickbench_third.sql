SELECT COUNT(*) FROM hits WHERE AdvEngineID <> 0 AND EventDate >= '2013-07-01'
SELECT TRUNC(ResolutionWidth / 100) AS w, COUNT(*) AS c FROM hits GROUP BY w ORDER BY c DESC LIMIT 10
SELECT RegionID, SUM(AdvEngineID), COUNT(*) AS c, AVG(ResolutionWidth), COUNT(DISTINCT UserID) FROM hits GROUP BY RegionID ORDER BY c DESC LIMIT 10
SELECT EventTime AT TIME ZONE 'UTC' AS t, COUNT(*) FROM hits GROUP BY 1
SELECT DATE_TRUNC('hour', EventTime::timestamptz) AS h, COUNT(*) FROM hits WHERE EventTime >= TIMESTAMPTZ '2013-07-02 00:00:00+00' GROUP BY h
SELECT COUNT(DISTINCT UserID, RegionID) FROM hits
SELECT toStartOfHour(EventTime) AS h, COUNT(*) FROM hits GROUP BY h
-- SELECT SearchPhrase, MIN(URL), COUNT(*) AS c FROM hits WHERE URL LIKE '%google%' AND SearchPhrase <> '' GROUP BY SearchPhrase ORDER BY c DESC LIMIT 10: MIN of a text is one person's
SELECT COUNT(*) FROM hits WHERE EventTime > '2013-07-05 10:00:00' AND EventTime <= '2013-07-05 12:00:00'
SELECT REGEXP_REPLACE(Referer, '^https?://(?:www\.)?([^/]+)/.*$', '\1') AS k, AVG(LENGTH(Referer)) AS l, COUNT(*) AS c FROM hits WHERE Referer <> '' GROUP BY k HAVING COUNT(*) > 100 ORDER BY l DESC LIMIT 25
SELECT MobilePhone, MobilePhoneModel, COUNT(DISTINCT UserID) AS u FROM hits WHERE MobilePhoneModel <> '' GROUP BY 1, 2 ORDER BY u DESC LIMIT 10
SELECT AVG(visits) FROM (SELECT UserID, COUNT(*) AS visits FROM hits GROUP BY UserID) v
SELECT SUM(ResolutionWidth), SUM(ResolutionWidth + 1), SUM(ResolutionWidth + 2), SUM(ResolutionWidth + 89) FROM hits
SELECT TraficSourceID, SearchEngineID, CASE WHEN (SearchEngineID = 0 AND AdvEngineID = 0) THEN Referer ELSE '' END AS Src, COUNT(*) AS PageViews FROM hits WHERE CounterID = 62 AND IsRefresh = 0 GROUP BY 1, 2, 3 ORDER BY PageViews DESC LIMIT 10 OFFSET 1000
SELECT EventDate, UserID % 100 AS shard, COUNT(*) FROM hits GROUP BY 1, 2
