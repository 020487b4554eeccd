/** The tables of the third level: they keep the state of a release while it is repeated. */

/** The claim as it was before a repeat, which a person wanted or which kept documents allow; see the two functions. */
const repeatedClaimTable = `
CREATE TABLE IF NOT EXISTS platen.repeated_claim (
  document uuid PRIMARY KEY,
  version integer NOT NULL,
  member uuid NOT NULL,
  release_id text NOT NULL,
  terminal text NOT NULL,
  place text NOT NULL,
  state text NOT NULL,
  at timestamptz NOT NULL,
  left_by uuid,
  deletion_owed boolean NOT NULL
);`;

const isOpen = (row: string): string => `${row}.state IN ('claimed', 'sending')`;

/** F5: a trigger of the engine, so that it holds for members of every version. `more`: columns of a later level. */
export const keepRepeatedClaimWith = (...more: readonly string[]): string => `
CREATE OR REPLACE FUNCTION platen.keep_repeated_claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM platen.repeated_claim WHERE document = OLD.document;
  INSERT INTO platen.repeated_claim
    (${['document, version, member, release_id, terminal, place, state, at, left_by, deletion_owed', ...more].join(', ')})
  VALUES (OLD.document, OLD.version, OLD.member, OLD.release_id, OLD.terminal, OLD.place, OLD.state, OLD.at,
    ${['left_by', 'deletion_owed', ...more].map((column) => `OLD.${column}`).join(', ')});
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER claim_repeated AFTER UPDATE ON platen.claim FOR EACH ROW
  WHEN (OLD.state IN ('printed', 'unknown') AND ${isOpen('NEW')}) EXECUTE FUNCTION platen.keep_repeated_claim();`;

/**
 * F5, I1: if nothing came out, the claim is restored, except for its number, which is never given twice. An owed record
 * is kept in `former_claim` in the meantime, and another member may have taken it over there.
 */
export const restoreRepeatedClaimWith = (...more: readonly string[]): string => `
CREATE OR REPLACE FUNCTION platen.restore_repeated_claim() RETURNS trigger LANGUAGE plpgsql AS $$
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
${more.map((column) => `  NEW.${column} := before.${column};\n`).join('')}  DELETE FROM platen.former_claim WHERE release_id = before.release_id RETURNING * INTO owed;
  IF FOUND THEN
    NEW.version := owed.version;
    NEW.member := owed.member;
    NEW.left_by := owed.left_by;
    NEW.will := owed.will;
    NEW.history := owed.history;
${more.map((column) => `    NEW.${column} := owed.${column};\n`).join('')}  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER claim_restored BEFORE UPDATE ON platen.claim FOR EACH ROW
  WHEN (${isOpen('OLD')} AND NOT ${isOpen('NEW')}) EXECUTE FUNCTION platen.restore_repeated_claim();`;

/**
 * F6: the most pages that an owed record may count, if its will says more: a later release printed the rest, or may
 * have.
 */
const cutRecordTable = `
CREATE TABLE IF NOT EXISTS platen.cut_record (
  release_id text PRIMARY KEY,
  pages integer NOT NULL
);`;

export const thirdLevel = [
  repeatedClaimTable,
  keepRepeatedClaimWith(),
  restoreRepeatedClaimWith(),
  cutRecordTable,
].join('\n');
