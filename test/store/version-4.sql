-- A database as version 4 of its shape left it: one release confirmed, one unknown, one at its intent.
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
  , printer_uri TEXT, document_pages INTEGER, pages TEXT, crc INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO attempt VALUES(1,'00000000000000000000000000000001','lobby','doc-1','CONFIRMED','2026-11-21T12:00:00.000Z','2026-11-21T12:00:00.000Z',12,'ipp://10.0.0.7/jobs/12',NULL,NULL,1,NULL,NULL,'ipp://10.0.0.7/ipp/print',6,NULL,209547503);
INSERT INTO attempt VALUES(2,'00000000000000000000000000000002','lobby','doc-2','UNKNOWN','2026-11-21T12:00:00.000Z','2026-11-21T12:00:00.000Z',12,'ipp://10.0.0.7/jobs/12',NULL,NULL,0,NULL,NULL,'ipp://10.0.0.7/ipp/print',6,NULL,2824310925);
INSERT INTO attempt VALUES(3,'00000000000000000000000000000003','lobby','doc-3','INTENT','2026-11-21T12:00:00.000Z',NULL,NULL,NULL,NULL,NULL,0,'Salary letter.pdf [00000000]','{"jobType":"PRINT","userName":"anna.lind","providerId":7,"title":"Salary letter.pdf","totalPages":6,"colorPages":2,"paperSize":"A4","duplex":true,"serialNumber":"SN-0001","dateTime":"2026-11-21T12:00:03+00:00"}','ipp://10.0.0.7/ipp/print',6,NULL,76761686);
CREATE TABLE kept (
    key    TEXT PRIMARY KEY,
    value  TEXT NOT NULL
  ) STRICT;
INSERT INTO kept VALUES('prints are charged','true');
CREATE TABLE outbox (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    release_id   TEXT NOT NULL UNIQUE,
    terminal     TEXT NOT NULL,
    record       TEXT NOT NULL,
    not_before   INTEGER NOT NULL,  -- wall milliseconds
    attempts     INTEGER NOT NULL DEFAULT 0,
    dead_letter  TEXT               -- why the service will never take it
  , crc INTEGER NOT NULL DEFAULT 0, held_until INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO outbox VALUES(1,'00000000000000000000000000000001','lobby','{"jobType":"PRINT","userName":"anna.lind","providerId":7,"title":"Salary letter.pdf","totalPages":6,"colorPages":2,"paperSize":"A4","duplex":true,"serialNumber":"SN-0001","dateTime":"2026-11-21T12:00:01+00:00"}',1795262400000,0,NULL,65543319,0);
INSERT INTO outbox VALUES(2,'00000000000000000000000000000002','lobby','{"jobType":"PRINT","userName":"anna.lind","providerId":7,"title":"Salary letter.pdf","totalPages":6,"colorPages":2,"paperSize":"A4","duplex":true,"serialNumber":"SN-0001","dateTime":"2026-11-21T12:00:02+00:00"}',1795266000000,0,NULL,1287439615,3600000);
CREATE TABLE event (
    seq           INTEGER PRIMARY KEY,
    attempt       INTEGER REFERENCES attempt (id),  -- NULL: the event is about the books themselves
    state         TEXT NOT NULL,
    at            TEXT NOT NULL,
    boot_id       TEXT NOT NULL,
    monotonic_ms  REAL NOT NULL,
    facts         TEXT NOT NULL,
    hash          BLOB NOT NULL,  -- SHA-256 over the hash of the event before and the content of this one
    crc           INTEGER NOT NULL
  ) STRICT;
INSERT INTO event VALUES(1,1,'PLANNED','2026-11-21T12:00:00.000Z','boot-1',5000,'{"releaseId":"00000000000000000000000000000001","documentUuid":"doc-1","userId":41,"providerId":7,"copies":2,"pages":3}',X'14bb5dcdc131e8e6e7812da2d2499f0f8f219009977088a0b8e2c68b2a7e1dc7',2993007606);
INSERT INTO event VALUES(2,1,'FETCHED','2026-11-21T12:00:00.000Z','boot-1',5000,'{"length":1000,"digest":"abababababababababababababababababababababababababababababababab"}',X'c9bd84299cd4346d533cc2e9bacaff4cd8e7cd28ed92fc5f39e13032d2d92cdf',2671270911);
INSERT INTO event VALUES(3,1,'INTENT','2026-11-21T12:00:00.000Z','boot-1',5000,'{"releaseId":"00000000000000000000000000000001","documentUuid":"doc-1","userId":41,"providerId":7,"copies":2,"pages":3,"length":1000,"digest":"abababababababababababababababababababababababababababababababab","printerUri":"ipp://10.0.0.7/ipp/print"}',X'f661f7a4d1f817d17764b13d684dc0b194b20fba4c42abb2b0814883d606cbc3',258285819);
INSERT INTO event VALUES(4,1,'JOB','2026-11-21T12:00:00.000Z','boot-1',5000,'{"jobId":12,"jobUri":"ipp://10.0.0.7/jobs/12"}',X'82ae3b8bc71335d9e52c6eeb46f33d061c5009604fd63857282285fdf5db6d31',2593806085);
INSERT INTO event VALUES(5,1,'SENT','2026-11-21T12:00:00.000Z','boot-1',5000,'{}',X'74aa84f5cf17e4cebe78f1b8407803e187165c60ee57b9b5d4dde6def12a126d',1377857128);
INSERT INTO event VALUES(6,1,'CONFIRMED','2026-11-21T12:00:00.000Z','boot-1',5000,'{}',X'7439ea4d4ce8c1eb4267fd7eb512cedb981b64fa7950c75c24605707a582961d',2942866300);
INSERT INTO event VALUES(7,2,'PLANNED','2026-11-21T12:00:00.000Z','boot-1',5000,'{"releaseId":"00000000000000000000000000000002","documentUuid":"doc-2","userId":41,"providerId":7,"copies":2,"pages":3}',X'2c68110477cf4914a3c1f335fa51e6c0a2eca1f782c0b1212b02a3688f20f8a8',1322434616);
INSERT INTO event VALUES(8,2,'FETCHED','2026-11-21T12:00:00.000Z','boot-1',5000,'{"length":1000,"digest":"abababababababababababababababababababababababababababababababab"}',X'27711fb911833a5d91ffc9d9e6c576980b3ed457adcc3b2148b472919fbd6e25',3643837189);
INSERT INTO event VALUES(9,2,'INTENT','2026-11-21T12:00:00.000Z','boot-1',5000,'{"releaseId":"00000000000000000000000000000002","documentUuid":"doc-2","userId":41,"providerId":7,"copies":2,"pages":3,"length":1000,"digest":"abababababababababababababababababababababababababababababababab","printerUri":"ipp://10.0.0.7/ipp/print"}',X'f379e3afbc1b5cce2bfea930b39e60a7aadcedf737044c8824f349f05205ed38',231280807);
INSERT INTO event VALUES(10,2,'JOB','2026-11-21T12:00:00.000Z','boot-1',5000,'{"jobId":12,"jobUri":"ipp://10.0.0.7/jobs/12"}',X'7e0799d4ebaeedd4c7f33e600ef68e2c24174e02dc2fc51263e0b69365a55e23',688897758);
INSERT INTO event VALUES(11,2,'SENT','2026-11-21T12:00:00.000Z','boot-1',5000,'{}',X'dee59ee875cbebab0ee577e737cdb1b927a07a3698718a5c2aba54e3fb34af05',3007367813);
INSERT INTO event VALUES(12,2,'UNKNOWN','2026-11-21T12:00:00.000Z','boot-1',5000,'{}',X'9ffb75917c784e68a7ada392948fccffc8a0ce46c188f273aae76c7f1a88a2e8',3379963112);
INSERT INTO event VALUES(13,3,'PLANNED','2026-11-21T12:00:00.000Z','boot-1',5000,'{"releaseId":"00000000000000000000000000000003","documentUuid":"doc-3","userId":41,"providerId":7,"copies":2,"pages":3}',X'620ae4df759a98b3009ea47400e2fa7e356ec9659415d00b34e66949e71a85ab',1736764660);
INSERT INTO event VALUES(14,3,'FETCHED','2026-11-21T12:00:00.000Z','boot-1',5000,'{"length":1000,"digest":"abababababababababababababababababababababababababababababababab"}',X'd87fad0080baddc81671f3e879b938b73bfb31da19e263345d7d631568d0d42b',3615536699);
INSERT INTO event VALUES(15,3,'INTENT','2026-11-21T12:00:00.000Z','boot-1',5000,'{"releaseId":"00000000000000000000000000000003","documentUuid":"doc-3","userId":41,"providerId":7,"copies":2,"pages":3,"length":1000,"digest":"abababababababababababababababababababababababababababababababab","printerUri":"ipp://10.0.0.7/ipp/print"}',X'0bb8c0af17e68287c50f76603798107b0b763f4e12149e9bb0ef0f78e174bf78',918144327);
INSERT INTO event VALUES(16,NULL,'CHAINED','2026-11-21T12:00:00.000Z','boot-1',5000,'{"events":15}',X'5f3785e715e920ec26278f65816191a50d660dcfceefe2fede579186b690df11',1347717057);
CREATE TABLE past (
    document  BLOB PRIMARY KEY,  -- the first half of SHA-256 over its uuid
    in_doubt  INTEGER NOT NULL,
    crc       INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE hold_time (
    id            INTEGER PRIMARY KEY CHECK (id = 1),
    milliseconds  INTEGER NOT NULL,
    boot_id       TEXT NOT NULL,
    since_boot    INTEGER NOT NULL,  -- milliseconds
    crc           INTEGER NOT NULL
  ) STRICT;
INSERT INTO hold_time VALUES(1,0,'',0,4287819529);
CREATE UNIQUE INDEX attempt_open ON attempt (document_uuid) WHERE ended_at IS NULL;
CREATE INDEX attempt_of_document ON attempt (document_uuid, id);
CREATE INDEX event_of_attempt ON event (attempt, seq);
CREATE TRIGGER event_is_never_updated BEFORE UPDATE ON event
    BEGIN SELECT RAISE(ABORT, 'the event table is append-only'); END;
CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event
    BEGIN SELECT RAISE(ABORT, 'the event table is append-only'); END;
CREATE INDEX outbox_due ON outbox (dead_letter, held_until, not_before);
PRAGMA user_version = 4;
PRAGMA application_id = 1347158020;
