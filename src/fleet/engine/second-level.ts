/** The tables of the second level: what members tell of themselves, and what is wanted of them. */

/** F17: the last that each member told of itself, a `GatewayDigest` of at most 4 KB. */
const digestTable = `
CREATE TABLE IF NOT EXISTS platen.digest (
  member uuid PRIMARY KEY REFERENCES platen.member ON DELETE CASCADE,
  at timestamptz NOT NULL,
  body jsonb NOT NULL
);`;

/** F12: the member that may print without the engine, because nobody else is in the fleet; see `solitude.ts`. */
const aloneTable = `
CREATE TABLE IF NOT EXISTS platen.alone (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  member uuid NOT NULL
);`;
/** The level that knows of it. */
export const aloneSince = 2;

/** F15: one signed manifest a version, and what it is made of by the hash of each part; rows are added and never changed. */
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
 * F16: one signed order a roll-out, and how far it is, which nobody signs. Whoever changes that says which `revision` it
 * saw. `gateway` and `why`: what it halted at.
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
 * F16: the gateways that were there at the order, in the order of their hashes, which is stable. `well`: terminals that
 * were not in trouble then; `low_since`: since when there are fewer.
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

/** F11: which terminals each member is set up for, each with its group, for whoever names one. */
const setUpTable = `
CREATE TABLE IF NOT EXISTS platen.set_up (
  member uuid PRIMARY KEY REFERENCES platen.member ON DELETE CASCADE,
  terminals jsonb NOT NULL
);`;

/** F11: where a person wants the terminals of a printer to be served, whenever that member can. */
const wishTable = `
CREATE TABLE IF NOT EXISTS platen.wish (
  site text NOT NULL,
  "group" text NOT NULL,
  member uuid NOT NULL REFERENCES platen.member ON DELETE CASCADE,
  since timestamptz NOT NULL,
  PRIMARY KEY (site, "group")
);`;

/** F17: who asks for the support bundle of which member, and the answer, sealed for the asker, in parts. */
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
 * F14: the output ports of an account, read by one member for all. `reading` is the last that was begun, by `reader`;
 * `done` the last that is whole, and what members take. Serial numbers and addresses are keyed digests.
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

/** F9: the fleets whose members may come here, since a person said that this one follows them; see `allegiance.ts`. */
const formerFleetTable = `
CREATE TABLE IF NOT EXISTS platen.former_fleet (
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  proof bytea NOT NULL
);`;

/** F9: the highest number that is known to have been given, where its claim is lost. */
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
