/** The fourth level: what keeps the work of the engine in step with what is under way, however much is over. */

/** As it is in the statements, so that PostgreSQL sees that the index has all that they ask for. */
const isUnsettled = `state IN ('claimed', 'sending') OR history IN ('owed', 'posting')`;

const unsettledIndexes = `
CREATE INDEX IF NOT EXISTS claim_unsettled ON platen.claim (member, number) WHERE ${isUnsettled};
CREATE INDEX IF NOT EXISTS former_claim_unsettled ON platen.former_claim (member, number) WHERE ${isUnsettled};`;

/** For the sweep. Claims are swept by their numbers, because an index of all that are over would cost each release time. */
const overIndex = `
CREATE INDEX IF NOT EXISTS former_claim_over ON platen.former_claim (at) WHERE history IN ('none', 'posted');`;

/** One row: how far whoever sweeps has come, and when the next step is due. */
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

/** Each member changes its row every second: with room beside it no index is touched, and the roll stays small. */
const roomForBeats = `
ALTER TABLE platen.member SET (fillfactor = 25, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);`;

/** A beat looks for those that are set up for the same printers, that come, and that have the same name. None changes with a beat. */
const rollIndexes = `
CREATE INDEX IF NOT EXISTS member_groups ON platen.member USING gin (groups) WITH (fastupdate = off);
CREATE INDEX IF NOT EXISTS member_coming ON platen.member (site) WHERE beating_since IS NULL;
CREATE INDEX IF NOT EXISTS member_name ON platen.member (lower(name));`;

export const fourthLevel = [sweepTable, listedClaimTable, roomForBeats, rollIndexes].join('\n');
export const fourthIndexes = [unsettledIndexes, overIndex].join('\n');
