-- A database as version 2 of its shape left it: one release confirmed, one unknown, one at its intent.
CREATE TABLE attempt (
    id             INTEGER PRIMARY KEY,
    release_id     TEXT NOT NULL UNIQUE,
    terminal       TEXT NOT NULL,
    document_uuid  TEXT NOT NULL,
    state          TEXT NOT NULL,
    started_at     TEXT NOT NULL,
    ended_at       TEXT,
    job_id         INTEGER,
    job_uri        TEXT,
    confirmation   TEXT,
    problem        TEXT,
    deletion_owed  INTEGER NOT NULL DEFAULT 0,
    -- These two name the document and its owner; they are cleared when the release ends.
    job_name       TEXT,
    history        TEXT
  ) STRICT;
INSERT INTO "attempt" VALUES(1,'00000000000000000000000000000001','lobby','doc-1','CONFIRMED','2026-11-21T12:00:00.000Z','2026-11-21T12:00:00.000Z',12,'ipp://10.0.0.7/jobs/12',NULL,NULL,1,NULL,NULL);
INSERT INTO "attempt" VALUES(2,'00000000000000000000000000000002','lobby','doc-2','UNKNOWN','2026-11-21T12:00:00.000Z','2026-11-21T12:00:00.000Z',12,'ipp://10.0.0.7/jobs/12',NULL,NULL,0,NULL,NULL);
INSERT INTO "attempt" VALUES(3,'00000000000000000000000000000003','lobby','doc-3','INTENT','2026-11-21T12:00:00.000Z',NULL,NULL,NULL,NULL,NULL,0,'Salary letter.pdf [00000000]','{"jobType":"PRINT","userName":"anna.lind","providerId":7,"title":"Salary letter.pdf","totalPages":6,"colorPages":2,"paperSize":"A4","duplex":true,"serialNumber":"SN-0001","dateTime":"2026-11-21T12:00:03+00:00"}');
CREATE TABLE event (
    seq           INTEGER PRIMARY KEY,
    attempt       INTEGER NOT NULL REFERENCES attempt (id),
    state         TEXT NOT NULL,
    at            TEXT NOT NULL,
    boot_id       TEXT NOT NULL,
    monotonic_ms  REAL NOT NULL,
    facts         TEXT NOT NULL
  ) STRICT;
INSERT INTO "event" VALUES(1,1,'PLANNED','2026-11-21T12:00:00.000Z','boot-1',5000.0,'{"releaseId":"00000000000000000000000000000001","documentUuid":"doc-1","userId":41,"providerId":7,"copies":2,"pages":3}');
INSERT INTO "event" VALUES(2,1,'FETCHED','2026-11-21T12:00:00.000Z','boot-1',5000.0,'{"length":1000,"digest":"abababababababababababababababababababababababababababababababab"}');
INSERT INTO "event" VALUES(3,1,'INTENT','2026-11-21T12:00:00.000Z','boot-1',5000.0,'{"releaseId":"00000000000000000000000000000001","documentUuid":"doc-1","userId":41,"providerId":7,"copies":2,"pages":3,"length":1000,"digest":"abababababababababababababababababababababababababababababababab","printerUri":"ipp://10.0.0.7/ipp/print"}');
INSERT INTO "event" VALUES(4,1,'JOB','2026-11-21T12:00:00.000Z','boot-1',5000.0,'{"jobId":12,"jobUri":"ipp://10.0.0.7/jobs/12"}');
INSERT INTO "event" VALUES(5,1,'SENT','2026-11-21T12:00:00.000Z','boot-1',5000.0,'{}');
INSERT INTO "event" VALUES(6,1,'CONFIRMED','2026-11-21T12:00:00.000Z','boot-1',5000.0,'{}');
INSERT INTO "event" VALUES(7,2,'PLANNED','2026-11-21T12:00:00.000Z','boot-1',5000.0,'{"releaseId":"00000000000000000000000000000002","documentUuid":"doc-2","userId":41,"providerId":7,"copies":2,"pages":3}');
INSERT INTO "event" VALUES(8,2,'FETCHED','2026-11-21T12:00:00.000Z','boot-1',5000.0,'{"length":1000,"digest":"abababababababababababababababababababababababababababababababab"}');
INSERT INTO "event" VALUES(9,2,'INTENT','2026-11-21T12:00:00.000Z','boot-1',5000.0,'{"releaseId":"00000000000000000000000000000002","documentUuid":"doc-2","userId":41,"providerId":7,"copies":2,"pages":3,"length":1000,"digest":"abababababababababababababababababababababababababababababababab","printerUri":"ipp://10.0.0.7/ipp/print"}');
INSERT INTO "event" VALUES(10,2,'JOB','2026-11-21T12:00:00.000Z','boot-1',5000.0,'{"jobId":12,"jobUri":"ipp://10.0.0.7/jobs/12"}');
INSERT INTO "event" VALUES(11,2,'SENT','2026-11-21T12:00:00.000Z','boot-1',5000.0,'{}');
INSERT INTO "event" VALUES(12,2,'UNKNOWN','2026-11-21T12:00:00.000Z','boot-1',5000.0,'{}');
INSERT INTO "event" VALUES(13,3,'PLANNED','2026-11-21T12:00:00.000Z','boot-1',5000.0,'{"releaseId":"00000000000000000000000000000003","documentUuid":"doc-3","userId":41,"providerId":7,"copies":2,"pages":3}');
INSERT INTO "event" VALUES(14,3,'FETCHED','2026-11-21T12:00:00.000Z','boot-1',5000.0,'{"length":1000,"digest":"abababababababababababababababababababababababababababababababab"}');
INSERT INTO "event" VALUES(15,3,'INTENT','2026-11-21T12:00:00.000Z','boot-1',5000.0,'{"releaseId":"00000000000000000000000000000003","documentUuid":"doc-3","userId":41,"providerId":7,"copies":2,"pages":3,"length":1000,"digest":"abababababababababababababababababababababababababababababababab","printerUri":"ipp://10.0.0.7/ipp/print"}');
CREATE TABLE kept (
    key    TEXT PRIMARY KEY,
    value  TEXT NOT NULL
  ) STRICT;
INSERT INTO "kept" VALUES('prints are charged','true');
CREATE TABLE outbox (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    release_id   TEXT NOT NULL UNIQUE,
    terminal     TEXT NOT NULL,
    record       TEXT NOT NULL,
    not_before   INTEGER NOT NULL,  -- wall milliseconds
    attempts     INTEGER NOT NULL DEFAULT 0,
    dead_letter  TEXT               -- why the service will never take it
  ) STRICT;
INSERT INTO "outbox" VALUES(1,'00000000000000000000000000000001','lobby','{"jobType":"PRINT","userName":"anna.lind","providerId":7,"title":"Salary letter.pdf","totalPages":6,"colorPages":2,"paperSize":"A4","duplex":true,"serialNumber":"SN-0001","dateTime":"2026-11-21T12:00:01+00:00"}',1795262400000,0,NULL);
INSERT INTO "outbox" VALUES(2,'00000000000000000000000000000002','lobby','{"jobType":"PRINT","userName":"anna.lind","providerId":7,"title":"Salary letter.pdf","totalPages":6,"colorPages":2,"paperSize":"A4","duplex":true,"serialNumber":"SN-0001","dateTime":"2026-11-21T12:00:02+00:00"}',1795266000000,0,NULL);
CREATE UNIQUE INDEX attempt_open ON attempt (document_uuid) WHERE ended_at IS NULL;
CREATE INDEX attempt_of_document ON attempt (document_uuid, id);
CREATE INDEX event_of_attempt ON event (attempt, seq);
CREATE TRIGGER event_is_never_updated BEFORE UPDATE ON event
    BEGIN SELECT RAISE(ABORT, 'the event table is append-only'); END;
CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event
    BEGIN SELECT RAISE(ABORT, 'the event table is append-only'); END;
CREATE INDEX outbox_due ON outbox (dead_letter, not_before);
PRAGMA user_version = 2;
