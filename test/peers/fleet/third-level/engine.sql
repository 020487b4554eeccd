SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA platen;
CREATE FUNCTION platen.keep_former_claim() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
  INSERT INTO platen.former_claim SELECT OLD.* ON CONFLICT (release_id) DO NOTHING;
  RETURN NULL;
END $$;
CREATE FUNCTION platen.keep_repeated_claim() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
  DELETE FROM platen.repeated_claim WHERE document = OLD.document;
  INSERT INTO platen.repeated_claim
    (document, version, member, release_id, terminal, place, state, at, left_by, deletion_owed)
  VALUES (OLD.document, OLD.version, OLD.member, OLD.release_id, OLD.terminal, OLD.place, OLD.state, OLD.at,
    OLD.left_by, OLD.deletion_owed);
  RETURN NULL;
END $$;
CREATE FUNCTION platen.restore_repeated_claim() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  before platen.repeated_claim;
  owed platen.former_claim;
BEGIN
  DELETE FROM platen.repeated_claim WHERE document = NEW.document RETURNING * INTO before;
  IF NOT FOUND OR NEW.state <> 'free' THEN RETURN NEW; END IF;
  NEW.version := before.version;
  NEW.member := before.member;
  NEW.release_id := before.release_id;
  NEW.terminal := before.terminal;
  NEW.place := before.place;
  NEW.state := before.state;
  NEW.at := before.at;
  NEW.left_by := before.left_by;
  NEW.deletion_owed := before.deletion_owed;
  DELETE FROM platen.former_claim WHERE release_id = before.release_id RETURNING * INTO owed;
  IF FOUND THEN
    NEW.version := owed.version;
    NEW.member := owed.member;
    NEW.left_by := owed.left_by;
    NEW.will := owed.will;
    NEW.history := owed.history;
  END IF;
  RETURN NEW;
END $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE platen.alone (
    one boolean DEFAULT true NOT NULL,
    member uuid NOT NULL,
    CONSTRAINT alone_one_check CHECK (one)
);
CREATE TABLE platen.claim (
    document uuid NOT NULL,
    number bigint NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    member uuid NOT NULL,
    release_id text NOT NULL,
    terminal text NOT NULL,
    place text NOT NULL,
    state text NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    will bytea,
    job bytea,
    history text DEFAULT 'none'::text NOT NULL,
    left_by uuid,
    deletion_owed boolean DEFAULT false NOT NULL,
    CONSTRAINT claim_history_check CHECK ((history = ANY (ARRAY['none'::text, 'owed'::text, 'posting'::text, 'posted'::text]))),
    CONSTRAINT claim_state_check CHECK ((state = ANY (ARRAY['claimed'::text, 'sending'::text, 'printed'::text, 'unknown'::text, 'free'::text])))
);
CREATE TABLE platen.former_claim (
    document uuid NOT NULL,
    number bigint NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    member uuid NOT NULL,
    release_id text NOT NULL,
    terminal text NOT NULL,
    place text NOT NULL,
    state text NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    will bytea,
    job bytea,
    history text DEFAULT 'none'::text NOT NULL,
    left_by uuid,
    deletion_owed boolean DEFAULT false NOT NULL
);
CREATE VIEW platen.any_claim AS
 SELECT claim.document,
    claim.number,
    claim.version,
    claim.member,
    claim.release_id,
    claim.terminal,
    claim.place,
    claim.state,
    claim.at,
    claim.will,
    claim.job,
    claim.history,
    claim.left_by,
    claim.deletion_owed
   FROM platen.claim
UNION ALL
 SELECT former_claim.document,
    former_claim.number,
    former_claim.version,
    former_claim.member,
    former_claim.release_id,
    former_claim.terminal,
    former_claim.place,
    former_claim.state,
    former_claim.at,
    former_claim.will,
    former_claim.job,
    former_claim.history,
    former_claim.left_by,
    former_claim.deletion_owed
   FROM platen.former_claim;
ALTER TABLE platen.claim ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME platen.claim_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE platen.config_part (
    hash text NOT NULL,
    body text NOT NULL
);
CREATE TABLE platen.config_version (
    version bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    body text NOT NULL,
    signature text NOT NULL,
    signer text NOT NULL
);
CREATE TABLE platen.cut_record (
    release_id text NOT NULL,
    pages integer NOT NULL
);
CREATE TABLE platen.diagnosis (
    id uuid NOT NULL,
    member uuid NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    by_user bigint,
    from_machine text NOT NULL,
    public_key bytea NOT NULL,
    proof bytea NOT NULL,
    parts integer,
    problem text
);
CREATE TABLE platen.diagnosis_part (
    diagnosis uuid NOT NULL,
    number integer NOT NULL,
    body bytea NOT NULL
);
CREATE TABLE platen.digest (
    member uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    body jsonb NOT NULL
);
CREATE TABLE platen.fleet (
    one boolean DEFAULT true NOT NULL,
    id uuid NOT NULL,
    key_check bytea NOT NULL,
    level integer NOT NULL,
    minimum integer NOT NULL,
    life text,
    forgot bigint DEFAULT 0 NOT NULL,
    CONSTRAINT fleet_one_check CHECK (one)
);
CREATE TABLE platen.former_fleet (
    id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    proof bytea NOT NULL
);
CREATE TABLE platen.hold (
    site text NOT NULL,
    "group" text NOT NULL,
    member uuid,
    incarnation uuid,
    epoch bigint NOT NULL,
    since timestamp with time zone NOT NULL
);
CREATE TABLE platen.member (
    id uuid NOT NULL,
    incarnation uuid NOT NULL,
    name text NOT NULL,
    site text NOT NULL,
    version text NOT NULL,
    level integer NOT NULL,
    beat_at timestamp with time zone NOT NULL,
    until timestamp with time zone NOT NULL,
    beating_since timestamp with time zone,
    groups text[] DEFAULT '{}'::text[] NOT NULL,
    told bigint DEFAULT 0 NOT NULL
);
CREATE TABLE platen.port (
    account bytea NOT NULL,
    reading bigint NOT NULL,
    number integer NOT NULL,
    id bigint NOT NULL,
    serial bytea,
    address bytea,
    body bytea NOT NULL
);
CREATE TABLE platen.port_reading (
    account bytea NOT NULL,
    reading bigint NOT NULL,
    reader uuid,
    incarnation uuid,
    begun_at timestamp with time zone NOT NULL,
    done bigint DEFAULT 0 NOT NULL,
    done_at timestamp with time zone
);
CREATE TABLE platen.raised_head (
    one boolean DEFAULT true NOT NULL,
    number bigint NOT NULL,
    CONSTRAINT raised_head_one_check CHECK (one)
);
CREATE TABLE platen.repeated_claim (
    document uuid NOT NULL,
    version integer NOT NULL,
    member uuid NOT NULL,
    release_id text NOT NULL,
    terminal text NOT NULL,
    place text NOT NULL,
    state text NOT NULL,
    at timestamp with time zone NOT NULL,
    left_by uuid,
    deletion_owed boolean NOT NULL
);
CREATE TABLE platen.rollout (
    number bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    body text NOT NULL,
    signature text NOT NULL,
    signer text NOT NULL,
    state text NOT NULL,
    step integer DEFAULT 0 NOT NULL,
    revision bigint DEFAULT 1 NOT NULL,
    step_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    soaking_since timestamp with time zone,
    looked_at timestamp with time zone,
    gateway text,
    why text,
    CONSTRAINT rollout_state_check CHECK ((state = ANY (ARRAY['running'::text, 'paused'::text, 'halted'::text, 'finished'::text])))
);
CREATE TABLE platen.rollout_gateway (
    number bigint NOT NULL,
    member uuid NOT NULL,
    name text NOT NULL,
    rank integer NOT NULL,
    well integer NOT NULL,
    low_since timestamp with time zone
);
CREATE TABLE platen.set_up (
    member uuid NOT NULL,
    terminals jsonb NOT NULL
);
CREATE TABLE platen.wish (
    site text NOT NULL,
    "group" text NOT NULL,
    member uuid NOT NULL,
    since timestamp with time zone NOT NULL
);
INSERT INTO platen.claim OVERRIDING SYSTEM VALUE VALUES ('3fb76580-fdd8-4c38-9e9b-de43751195d2', 1, 1, 'd596fe7e-a1d0-4f65-926b-f7ef9c91b4e6', '96f63f6acaca40aeb9b4e04eb34ca56f', 'lobby', 'Lobby', 'printed', '2026-11-29 17:39:44.246242+00', NULL, NULL, 'posted', NULL, true);
INSERT INTO platen.claim OVERRIDING SYSTEM VALUE VALUES ('728a4a10-4ae3-4f1e-818e-388c62d59e6c', 2, 1, 'd596fe7e-a1d0-4f65-926b-f7ef9c91b4e6', '0bb8b08277dc4f3b92fe62ec836fbc46', 'lobby', 'Lobby', 'printed', '2026-11-29 17:40:01.474294+00', '\x504c4154454e30313bb7ec51b2802409c02bf1e445f23e7380011348e0e37a00c451b9fd3ee47e74a5ce0aa8c9918c41ee44487ce96f949d75980fd5f941d7426bb727e81fa34d948b67ea30a6fc2c7523078dbba05456d27354786a1dc4751f1d2c9337f88366a76586cce206124a5ef9e36fe420b2f7a3030ef113aeb480f31661144a8385563d4ed59778cec3ab166e92d0dd2fc9da661c8d806834d65f68c80f4fd780bc512a88f52fc7731ebf903a94d6e05cdae8ec2795eb54b5f8f68a4a670a4ced8cb68789923a9e02ebc2513d6ffa0f39d3b2f2815aeea226df93a98b96fb4a9fe2c9fb4fbcce2e70d33edba538a078f9bab74d09c7c013863b551009517468ab7b63eb7af47185d0feff1e45eadf7eb8c7d2e08077432bae7503670862eeac61f7015c4ece0de0a5c2dabc47abc3a033506966086c5a3b58d36b4301f8d24b27ee18ebee0b171ba16d3e35cea5d4293d688754bd5e2cb44bf75e44dcb205fe860cca026466d3c14ddb09a3633e27d0a09466512561501a8b2e8657d227f1507c093af1c4d99ff788c2bafb54c75a4421e9b727d554fc76b841b042f886d2f67126d45bce1f4a4e89546df803d9196b065126754177f6e8f68a5e9c9f475e7d3231be6e5d1a84e806021ba4e3e20981e15fd7d3ba04a9c88cf3bcf1a7', NULL, 'posting', NULL, true);
INSERT INTO platen.claim OVERRIDING SYSTEM VALUE VALUES ('ab97718b-e0ab-418f-b7f1-8ac6714f17bb', 3, 1, '46ff1f84-d712-4659-8614-c0ec77c00acd', 'efa41d86c3fa48eab3f3a4d56537df56', 'lobby', 'Lobby', 'sending', '2026-11-29 17:40:12.469092+00', '\x504c4154454e30313bb7ec51b28024097d883bf3015e78a68f5122d11fadc67d4a88ff475b5276e6c2245b3c8be4a8cdc541b33f253bbe21d32004437894155e91c2ef321f4ce052c34a0f438c0dbb81c441def220f9a48f5e1ffa1ebbd329e045cd09b37b66433369486f9afd3d2f18c5b9649f2b9b3f3d7f5cab05ace357daa24a8bfade56ac7eb2a9a863e15162d432b7c61552075fa95338e24465e17f616f40167a09e26f3f4cf3339310ac49979438a5ddfa8743821047208706e36a87b67fddef29010d85b2244c5665b3f19c68ba10790566977a0fd01e85b27f55d0dde0e1b9988f372fc2981e40721b09e0663f6e5572dd72acc110783db9e38f7a130184ba26d3af40d77a32d53150f0cd3b9381e23b0e8f3fb13dacd16528d1343029583708f3dca222029d67cb02e34663ce1489780fdbf656217e5e24b3accad7021d9f55317493435c422f54ff39956664f975651934e293bd1c509ff33659c93affe5b5cb73ea452ab89d8b2c42d7ea64656d3938907e8c99a1ac9119741aa234f7c6c751ab1f1caad7b9486288b9e214801e3ffafe96949bd827c2fc7d24a9c9276e9f2128fcdff9dec20ad01d221d8817574b356f76c8e80e52b888340a04abfbd1a44323', NULL, 'none', NULL, false);
INSERT INTO platen.digest VALUES ('d596fe7e-a1d0-4f65-926b-f7ef9c91b4e6', '2026-11-29 17:40:07.505853+00', '{"at": "2026-11-29T17:40:07.504Z", "hurt": {"day": {"failed": 0, "refused": 0, "unknown": 0}, "hour": {"failed": 0, "refused": 0, "unknown": 0}, "line": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}, "name": "gateway-a", "site": "main", "config": {"wanted": null, "follows": false, "refused": null, "version": null}, "member": "d596fe7e-a1d0-4f65-926b-f7ef9c91b4e6", "outbox": {"oldest": "2026-11-29T17:40:01.456Z", "waiting": 1, "deadLetters": 0}, "outages": [{"over": "2026-11-29T17:39:42.201Z", "since": "2026-11-29T17:39:41.848Z", "terminal": "lobby", "reference": "V68JN8"}], "version": "0.1.0", "startedAt": "2026-11-29T17:39:41.743Z", "terminals": {"ready": 1, "served": 1, "troubled": [], "configured": 1}, "conditions": [{"code": "cloud-busy", "scope": "agent", "since": "2026-11-29T17:40:06.520Z", "severity": "warning"}], "operations": null, "operationsTls": false, "moreConditions": 0, "certificateDays": null, "unknownOutcomes": 0}');
INSERT INTO platen.digest VALUES ('46ff1f84-d712-4659-8614-c0ec77c00acd', '2026-11-29 17:40:10.282182+00', '{"at": "2026-11-29T17:40:10.280Z", "hurt": {"day": {"failed": 0, "refused": 0, "unknown": 0}, "hour": {"failed": 0, "refused": 0, "unknown": 0}, "line": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}, "name": "gateway-b", "site": "main", "config": {"wanted": null, "follows": false, "refused": null, "version": null}, "member": "46ff1f84-d712-4659-8614-c0ec77c00acd", "outbox": {"oldest": null, "waiting": 0, "deadLetters": 0}, "outages": [{"over": "2026-11-29T17:40:09.373Z", "since": "2026-11-29T17:39:42.717Z", "terminal": "lobby", "reference": "049ZYW"}], "version": "0.1.0", "startedAt": "2026-11-29T17:39:42.630Z", "terminals": {"ready": 1, "served": 1, "troubled": [], "configured": 1}, "conditions": [], "operations": null, "operationsTls": false, "moreConditions": 0, "certificateDays": null, "unknownOutcomes": 0}');
INSERT INTO platen.fleet VALUES (true, 'aaf76439-c8d6-4a96-9111-4fab15f552a5', '\x38438469b568582e0c94d53cf05f06cdd69a090955273423930c47dcd2e4f6f5', 3, 2, '7713649509341106002/00000001', 0);
INSERT INTO platen.hold VALUES ('main', 'socket://127.0.0.1:43385/', '46ff1f84-d712-4659-8614-c0ec77c00acd', '1cd203df-0a5c-4d0f-85ee-8aee94ee4d2a', 2, '2026-11-29 17:40:09.281214+00');
INSERT INTO platen.member VALUES ('d596fe7e-a1d0-4f65-926b-f7ef9c91b4e6', 'fe46bdfe-470a-42fa-8752-84c01fead137', 'gateway-a', 'main', '0.1.0', 3, '2026-11-29 17:40:08.986822+00', '2026-11-29 17:40:09.28696+00', NULL, '{socket://127.0.0.1:43385/}', 0);
INSERT INTO platen.member VALUES ('46ff1f84-d712-4659-8614-c0ec77c00acd', '1cd203df-0a5c-4d0f-85ee-8aee94ee4d2a', 'gateway-b', 'main', '0.1.0', 3, '2026-11-29 17:40:12.265266+00', '2026-11-29 17:40:17.265266+00', '2026-11-29 17:39:42.938302+00', '{socket://127.0.0.1:43385/}', 0);
INSERT INTO platen.port VALUES ('\xcf33b79cdc8f79001884af687e0a614f', 1, 0, 7, '\x9405923517aa4074c414790ba5e8b951', '\x68c9e9828ad6f20d97c652b88514ccc5', '\x504c4154454e30313bb7ec51b2802409f3094d2129508a9ef08908028343a32e65bc6ae58e4c5d93ccc283cef444b1f8a5889b605fbb1117effb02d64a01a960453f3f16fb838d5a6537890374497c7cd874a653163614fc57b29632ef7685a45a45fcc96db3ddcf63d7ed59b4843d038cb15b1da37d11557d361e46b53d1e05a9adb222bbbf462ce3f1e9c99af6d0172946b188acfd991dd6a989322bedb894dfac9ab7046edc28c3236f5eea846c7d34c0f67f79f22e0cd4dcd782982e7ac175b2465135530fdd4779e54c5c727b28f0cac18fed7a078ceb4ff674f8c1a9de8d207930378fdc012ca268826561f184131c9f73fab6e146dbe3d677d10e09d8561472af25fa5eeec7f87b5c7f7156917f91a05cdcef8cfa73ceebda4e0685699e1446c307a6400a41c07a9c494b59f7e23ff11507527b2abfdd983b1c4204e9303cde39e9b6280407546e274acfe16f055a389b96d5fb50c949a9e81ff688c80f64f92989097761414b5b438dac65d2cbec78e101d37c763d973bb13deb824ab99fc43733a83bed1ee70b3c6361043c47ba7e521182045a6fa48d3fd4baaa3f9a7e21e6d0c35be7c0599d6585f26b02970a413507c31d33951d7409');
INSERT INTO platen.port VALUES ('\xcf33b79cdc8f79001884af687e0a614f', 1, 1, 8, '\x0c49314175ab47d67be359c37d88de8b', '\x68c9e9828ad6f20d97c652b88514ccc5', '\x504c4154454e30313bb7ec51b2802409b52dd7bb14b240ec30abea45eb6daa0ec2ec23673690f875316b3753090bb46e5fe9cb6e7031c0ee4e91e30267e9c2747870b7542de254f4ca90e04e074c96c2a5e1b159aab760b63a2220c47a8097b6559356d7dfd08ec15c9fd21967ba3437a9cd701c2145391b2fe3e928cfa8b4a629b73a2810c96fdc82a19fa8a7d2df463cbe30850d947b96153c9137e66298fdd9aa3f250c3d5ede8664c96e3db041b545cc27c125d50e1f730078920ea86f41fe475f574d9fc672ef501f125a5f8a798844e6c26a60ceb4d91da61523b4c7aad96b74e035a4dd847874ef271ec75419c7e64cf72acf07668ef215686a120df4c56537fec01dd711ccd24a7e5be1d26e522a76de8eb830c3ac596d4cd10bb01e369b78a77f689dc2b11423d9588e065e993b736564b885f536a39297f73ff805b6d75e9b94750875cac213d2931a85a4d741eed6364520f8c0a403b4f5b59557ec6d3740da6d56d41a93f259d28156ff8c8651ef745ca1b18f68610fdf5733484658be0e1e8ddad75b26ab6eb63aec643308cf8f83a466fc6f1b655f5e0c17121921c0a3fc95f12e2307a727cfc658fa1c7243b91fba877be24de7cf364835ba4c99040767d0156431d2');
INSERT INTO platen.port_reading VALUES ('\xcf33b79cdc8f79001884af687e0a614f', 1, NULL, 'fe46bdfe-470a-42fa-8752-84c01fead137', '2026-11-29 17:39:42.117165+00', 1, '2026-11-29 17:39:42.188596+00');
INSERT INTO platen.set_up VALUES ('d596fe7e-a1d0-4f65-926b-f7ef9c91b4e6', '{"lobby": "socket://127.0.0.1:43385/"}');
INSERT INTO platen.set_up VALUES ('46ff1f84-d712-4659-8614-c0ec77c00acd', '{"lobby": "socket://127.0.0.1:43385/"}');
SELECT pg_catalog.setval('platen.claim_number_seq', 3, true);
ALTER TABLE ONLY platen.alone
    ADD CONSTRAINT alone_pkey PRIMARY KEY (one);
ALTER TABLE ONLY platen.claim
    ADD CONSTRAINT claim_number_key UNIQUE (number);
ALTER TABLE ONLY platen.claim
    ADD CONSTRAINT claim_pkey PRIMARY KEY (document);
ALTER TABLE ONLY platen.config_part
    ADD CONSTRAINT config_part_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY platen.config_version
    ADD CONSTRAINT config_version_pkey PRIMARY KEY (version);
ALTER TABLE ONLY platen.cut_record
    ADD CONSTRAINT cut_record_pkey PRIMARY KEY (release_id);
ALTER TABLE ONLY platen.diagnosis_part
    ADD CONSTRAINT diagnosis_part_pkey PRIMARY KEY (diagnosis, number);
ALTER TABLE ONLY platen.diagnosis
    ADD CONSTRAINT diagnosis_pkey PRIMARY KEY (id);
ALTER TABLE ONLY platen.digest
    ADD CONSTRAINT digest_pkey PRIMARY KEY (member);
ALTER TABLE ONLY platen.fleet
    ADD CONSTRAINT fleet_pkey PRIMARY KEY (one);
ALTER TABLE ONLY platen.former_fleet
    ADD CONSTRAINT former_fleet_pkey PRIMARY KEY (id);
ALTER TABLE ONLY platen.hold
    ADD CONSTRAINT hold_pkey PRIMARY KEY (site, "group");
ALTER TABLE ONLY platen.member
    ADD CONSTRAINT member_pkey PRIMARY KEY (id);
ALTER TABLE ONLY platen.port
    ADD CONSTRAINT port_pkey PRIMARY KEY (account, reading, number);
ALTER TABLE ONLY platen.port_reading
    ADD CONSTRAINT port_reading_pkey PRIMARY KEY (account);
ALTER TABLE ONLY platen.raised_head
    ADD CONSTRAINT raised_head_pkey PRIMARY KEY (one);
ALTER TABLE ONLY platen.repeated_claim
    ADD CONSTRAINT repeated_claim_pkey PRIMARY KEY (document);
ALTER TABLE ONLY platen.rollout_gateway
    ADD CONSTRAINT rollout_gateway_pkey PRIMARY KEY (number, member);
ALTER TABLE ONLY platen.rollout
    ADD CONSTRAINT rollout_pkey PRIMARY KEY (number);
ALTER TABLE ONLY platen.set_up
    ADD CONSTRAINT set_up_pkey PRIMARY KEY (member);
ALTER TABLE ONLY platen.wish
    ADD CONSTRAINT wish_pkey PRIMARY KEY (site, "group");
CREATE INDEX claim_member ON platen.claim USING btree (member);
CREATE INDEX claim_release ON platen.claim USING btree (release_id);
CREATE UNIQUE INDEX former_claim_release ON platen.former_claim USING btree (release_id);
CREATE INDEX hold_member ON platen.hold USING btree (member);
CREATE INDEX port_address ON platen.port USING btree (account, reading, address, number);
CREATE INDEX port_id ON platen.port USING btree (account, reading, id, number);
CREATE INDEX port_serial ON platen.port USING btree (account, reading, serial, number);
CREATE TRIGGER claim_repeated AFTER UPDATE ON platen.claim FOR EACH ROW WHEN (((old.state = ANY (ARRAY['printed'::text, 'unknown'::text])) AND (new.state = ANY (ARRAY['claimed'::text, 'sending'::text])))) EXECUTE FUNCTION platen.keep_repeated_claim();
CREATE TRIGGER claim_restored BEFORE UPDATE ON platen.claim FOR EACH ROW WHEN (((old.state = ANY (ARRAY['claimed'::text, 'sending'::text])) AND (NOT (new.state = ANY (ARRAY['claimed'::text, 'sending'::text]))))) EXECUTE FUNCTION platen.restore_repeated_claim();
CREATE TRIGGER claim_taken_again AFTER UPDATE ON platen.claim FOR EACH ROW WHEN (((old.release_id <> new.release_id) AND (old.history <> 'none'::text))) EXECUTE FUNCTION platen.keep_former_claim();
ALTER TABLE ONLY platen.diagnosis
    ADD CONSTRAINT diagnosis_member_fkey FOREIGN KEY (member) REFERENCES platen.member(id) ON DELETE CASCADE;
ALTER TABLE ONLY platen.diagnosis_part
    ADD CONSTRAINT diagnosis_part_diagnosis_fkey FOREIGN KEY (diagnosis) REFERENCES platen.diagnosis(id) ON DELETE CASCADE;
ALTER TABLE ONLY platen.digest
    ADD CONSTRAINT digest_member_fkey FOREIGN KEY (member) REFERENCES platen.member(id) ON DELETE CASCADE;
ALTER TABLE ONLY platen.set_up
    ADD CONSTRAINT set_up_member_fkey FOREIGN KEY (member) REFERENCES platen.member(id) ON DELETE CASCADE;
ALTER TABLE ONLY platen.wish
    ADD CONSTRAINT wish_member_fkey FOREIGN KEY (member) REFERENCES platen.member(id) ON DELETE CASCADE;
