/**
 * The levels of the schema `platen` in the engine (F4). A level only adds: everything that an older member reads and
 * writes stays. A time is always the engine's `clock_timestamp()`: members' clocks are never compared.
 */
import { secondLevel } from './second-level.ts';
import { keepRepeatedClaimWith, restoreRepeatedClaimWith, thirdLevel } from './third-level.ts';

export interface Level {
  readonly level: number;
  /** From this level on, members that speak a lower level have to stay away. */
  readonly minimum: number;
  /** May be run again, because several members may raise the level at once; see `engine-schema.ts`. */
  readonly script: string;
  /** Takes longer with more rows, so a trial leaves it out. */
  readonly indexes?: string;
}

/** One row: the fleet, the level that its members must speak, and how often it has forgotten in which life (F9). */
const fleetTable = `
CREATE TABLE IF NOT EXISTS platen.fleet (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  id uuid NOT NULL,
  key_check bytea NOT NULL,
  level integer NOT NULL,
  minimum integer NOT NULL,
  life text,
  forgot bigint NOT NULL DEFAULT 0
);`;

/**
 * The roll. `beating_since`: without a gap, on one line; null while it takes no holds. `until`: unless the member beats
 * again, another process may take the id from then on. `told`: the last forgetting after which it told its claims again
 * (F9).
 */
const memberTable = `
CREATE TABLE IF NOT EXISTS platen.member (
  id uuid PRIMARY KEY,
  incarnation uuid NOT NULL,
  name text NOT NULL,
  site text NOT NULL,
  version text NOT NULL,
  level integer NOT NULL,
  beat_at timestamptz NOT NULL,
  until timestamptz NOT NULL,
  beating_since timestamptz,
  groups text[] NOT NULL DEFAULT '{}',
  told bigint NOT NULL DEFAULT 0
);`;

/**
 * F5: no expiry. The highest `number` shows whether an engine has forgotten (F9). `version` is the fence (F6).
 * `left_by` is the member from which it was taken over.
 */
const claimTable = `
CREATE TABLE IF NOT EXISTS platen.claim (
  document uuid PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  version integer NOT NULL DEFAULT 1,
  member uuid NOT NULL,
  release_id text NOT NULL,
  terminal text NOT NULL,
  place text NOT NULL,
  state text NOT NULL CHECK (state IN ('claimed', 'sending', 'printed', 'unknown', 'free')),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  will bytea,
  job bytea,
  history text NOT NULL DEFAULT 'none' CHECK (history IN ('none', 'owed', 'posting', 'posted')),
  left_by uuid,
  deletion_owed boolean NOT NULL DEFAULT false
);
CREATE INDEX IF NOT EXISTS claim_member ON platen.claim (member);
CREATE INDEX IF NOT EXISTS claim_release ON platen.claim (release_id);`;

/**
 * A document that is printed once more gets another claim, while the record of the earlier print may still be owed.
 * From then on this table says which member posts it, also to a member that comes back after a long time.
 */
const formerClaimTable = `
CREATE TABLE IF NOT EXISTS platen.former_claim (LIKE platen.claim INCLUDING DEFAULTS);
CREATE UNIQUE INDEX IF NOT EXISTS former_claim_release ON platen.former_claim (release_id);
CREATE OR REPLACE FUNCTION platen.keep_former_claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO platen.former_claim SELECT OLD.* ON CONFLICT (release_id) DO NOTHING;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER claim_taken_again AFTER UPDATE ON platen.claim FOR EACH ROW
  WHEN (OLD.release_id <> NEW.release_id AND OLD.history <> 'none') EXECUTE FUNCTION platen.keep_former_claim();
CREATE OR REPLACE VIEW platen.any_claim AS SELECT * FROM platen.claim UNION ALL SELECT * FROM platen.former_claim;`;

/**
 * F11: all terminals of one printer move together. A hold is good while its member beats as that incarnation; without a
 * member it is free. Two sites may have printers of the same address.
 */
const holdTable = `
CREATE TABLE IF NOT EXISTS platen.hold (
  site text NOT NULL,
  "group" text NOT NULL,
  member uuid,
  incarnation uuid,
  epoch bigint NOT NULL,
  since timestamptz NOT NULL,
  PRIMARY KEY (site, "group")
);
CREATE INDEX IF NOT EXISTS hold_member ON platen.hold (member);`;

/**
 * With the fourth level the engine's work depends only on the claims under way, not on the number that are over. The
 * condition is the same as in the statements, so that PostgreSQL can use the index for them.
 */
const isUnsettled = `state IN ('claimed', 'sending') OR history IN ('owed', 'posting')`;

const unsettledIndexes = `
CREATE INDEX IF NOT EXISTS claim_unsettled ON platen.claim (member, number) WHERE ${isUnsettled};
CREATE INDEX IF NOT EXISTS former_claim_unsettled ON platen.former_claim (member, number) WHERE ${isUnsettled};`;

/**
 * For the sweep. Claims are swept by their numbers, because an index of all finished claims would cost each release
 * time.
 */
const overIndex = `
CREATE INDEX IF NOT EXISTS former_claim_over ON platen.former_claim (at) WHERE history IN ('none', 'posted');`;

/** One row: how far the sweep has come, and when the next step is due. */
const sweepTable = `
CREATE TABLE IF NOT EXISTS platen.sweep (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  due timestamptz NOT NULL,
  number bigint NOT NULL DEFAULT 0,
  removed bigint NOT NULL DEFAULT 0
);
INSERT INTO platen.sweep (due) VALUES (clock_timestamp()) ON CONFLICT DO NOTHING;`;

/** Documents with an old claim that people still see in their lists: the claim stays. */
const listedClaimTable = `
CREATE TABLE IF NOT EXISTS platen.listed_claim (
  document uuid PRIMARY KEY,
  at timestamptz NOT NULL
);`;

/**
 * Each member changes its row every second. With free room beside the row no index is touched, and the roll stays
 * small.
 */
const roomForBeats = `
ALTER TABLE platen.member SET (fillfactor = 25, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);`;

/**
 * A beat looks for members that are set up for the same printers, that are coming, or that have the same name. None of
 * these changes with a beat.
 */
const rollIndexes = `
CREATE INDEX IF NOT EXISTS member_groups ON platen.member USING gin (groups) WITH (fastupdate = off);
CREATE INDEX IF NOT EXISTS member_coming ON platen.member (site) WHERE beating_since IS NULL;
CREATE INDEX IF NOT EXISTS member_name ON platen.member (lower(name));`;

const fourthLevel = [sweepTable, listedClaimTable, roomForBeats, rollIndexes].join('\n');
const fourthIndexes = [unsettledIndexes, overIndex].join('\n');

/**
 * The fifth level: each state of a claim has its proof (`fleet-sealing.ts`). A change by an older member has none. The trigger
 * that keeps a former claim copies whole rows: the column is the last one of both tables.
 */
const proofColumns = ['claim', 'former_claim', 'repeated_claim', 'cut_record']
  .map((table) => `ALTER TABLE platen.${table} ADD COLUMN IF NOT EXISTS proof bytea;`)
  .join('\n');

const anyClaimView = `
CREATE OR REPLACE VIEW platen.any_claim AS SELECT * FROM platen.claim UNION ALL SELECT * FROM platen.former_claim;`;

const fifthLevel = [
  proofColumns,
  anyClaimView,
  keepRepeatedClaimWith('proof'),
  restoreRepeatedClaimWith('proof'),
].join('\n');

export const levels: readonly Level[] = [
  {
    level: 1,
    minimum: 1,
    script: [fleetTable, memberTable, claimTable, formerClaimTable, holdTable].join('\n'),
  },
  {
    level: 2,
    minimum: 1,
    script: secondLevel,
  },
  {
    level: 3,
    minimum: 1,
    script: thirdLevel,
  },
  {
    level: 4,
    minimum: 1,
    script: fourthLevel,
    indexes: fourthIndexes,
  },
  {
    level: 5,
    minimum: 1,
    script: fifthLevel,
  },
];
