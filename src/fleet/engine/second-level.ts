/** The tables of the second level: reports of the members, and requests to them. */

/** F17: the last digest of each member, a `GatewayDigest` of at most 4 KB. */
const digestTable = `
CREATE TABLE IF NOT EXISTS platen.digest (
  member uuid PRIMARY KEY REFERENCES platen.member ON DELETE CASCADE,
  at timestamptz NOT NULL,
  body jsonb NOT NULL
);`;

/** F12: the member that may print without the engine, because no other member is in the fleet; see `solitude.ts`. */
const aloneTable = `
CREATE TABLE IF NOT EXISTS platen.alone (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  member uuid NOT NULL
);`;
/** The first level with this table. */
export const aloneSince = 2;

/** F15: one signed manifest for each version, and its parts by their hashes; rows are added and never changed. */
const configTables = `
CREATE TABLE IF NOT EXISTS platen.config_part (
  hash text PRIMARY KEY,
  body text NOT NULL
);
CREATE TABLE IF NOT EXISTS platen.config_version (
  version bigint PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  body text NOT NULL,
  signature text NOT NULL,
  signer text NOT NULL
);`;

/**
 * F16: one signed order for each roll-out, and its progress, which is not signed. A change of the progress names the
 * `revision` that was seen. `gateway` and `why`: the place and the reason of a halt.
 */
const rolloutTable = `
CREATE TABLE IF NOT EXISTS platen.rollout (
  number bigint PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  body text NOT NULL,
  signature text NOT NULL,
  signer text NOT NULL,
  state text NOT NULL CHECK (state IN ('running', 'paused', 'halted', 'finished')),
  step integer NOT NULL DEFAULT 0,
  revision bigint NOT NULL DEFAULT 1,
  step_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  soaking_since timestamptz,
  looked_at timestamptz,
  gateway text,
  why text
);`;

/**
 * F16: the gateways that were there at the order, in the stable order of their hashes. `well`: terminals that were not
 * in trouble then; `low_since`: since when there are fewer.
 */
const rolloutGatewayTable = `
CREATE TABLE IF NOT EXISTS platen.rollout_gateway (
  number bigint NOT NULL,
  member uuid NOT NULL,
  name text NOT NULL,
  rank integer NOT NULL,
  well integer NOT NULL,
  low_since timestamptz,
  PRIMARY KEY (number, member)
);`;

/**
 * F11: the terminals that each member is set up for, each with its group. Commands find a terminal by its name here.
 */
const setUpTable = `
CREATE TABLE IF NOT EXISTS platen.set_up (
  member uuid PRIMARY KEY REFERENCES platen.member ON DELETE CASCADE,
  terminals jsonb NOT NULL
);`;

/** F11: a person wants the terminals of a printer to be served by this member, whenever it can. */
const wishTable = `
CREATE TABLE IF NOT EXISTS platen.wish (
  site text NOT NULL,
  "group" text NOT NULL,
  member uuid NOT NULL REFERENCES platen.member ON DELETE CASCADE,
  since timestamptz NOT NULL,
  PRIMARY KEY (site, "group")
);`;

/** F17: a request for the support bundle of a member, and the answer in parts, sealed for the asker. */
const diagnosisTable = `
CREATE TABLE IF NOT EXISTS platen.diagnosis (
  id uuid PRIMARY KEY,
  member uuid NOT NULL REFERENCES platen.member ON DELETE CASCADE,
  asked_at timestamptz NOT NULL,
  by_user bigint,
  from_machine text NOT NULL,
  public_key bytea NOT NULL,
  proof bytea NOT NULL,
  parts integer,
  problem text
);
CREATE TABLE IF NOT EXISTS platen.diagnosis_part (
  diagnosis uuid NOT NULL REFERENCES platen.diagnosis ON DELETE CASCADE,
  number integer NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (diagnosis, number)
);`;

/**
 * F14: the output ports of an account, read by one member for all. `reading` is the last reading that was begun, by
 * `reader`. `done` is the last complete reading, which members use. Serial numbers and addresses are keyed digests.
 */
const portTables = `
CREATE TABLE IF NOT EXISTS platen.port_reading (
  account bytea PRIMARY KEY,
  reading bigint NOT NULL,
  reader uuid,
  incarnation uuid,
  begun_at timestamptz NOT NULL,
  done bigint NOT NULL DEFAULT 0,
  done_at timestamptz
);
CREATE TABLE IF NOT EXISTS platen.port (
  account bytea NOT NULL,
  reading bigint NOT NULL,
  number integer NOT NULL,
  id bigint NOT NULL,
  serial bytea,
  address bytea,
  body bytea NOT NULL,
  PRIMARY KEY (account, reading, number)
);
CREATE INDEX IF NOT EXISTS port_id ON platen.port (account, reading, id, number);
CREATE INDEX IF NOT EXISTS port_serial ON platen.port (account, reading, serial, number);
CREATE INDEX IF NOT EXISTS port_address ON platen.port (account, reading, address, number);`;

/**
 * F9: the fleets whose members may come here, because a person confirmed that this one follows them; see
 * `allegiance.ts`.
 */
const formerFleetTable = `
CREATE TABLE IF NOT EXISTS platen.former_fleet (
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  proof bytea NOT NULL
);`;

/** F9: the highest number that is known to have been given, if its claim is lost. */
const raisedHeadTable = `
CREATE TABLE IF NOT EXISTS platen.raised_head (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  number bigint NOT NULL
);`;

export const secondLevel = [
  digestTable,
  aloneTable,
  configTables,
  rolloutTable,
  rolloutGatewayTable,
  setUpTable,
  wishTable,
  diagnosisTable,
  portTables,
  formerFleetTable,
  raisedHeadTable,
].join('\n');
