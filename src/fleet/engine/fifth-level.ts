/** The fifth level: each state of a claim has its proof (`proofs.ts`). A change by an older member has none. */
import { keepRepeatedClaimWith, restoreRepeatedClaimWith } from './third-level.ts';

/** The trigger that keeps a former claim copies whole rows: the column is the last one of both tables. */
const proofColumns = ['claim', 'former_claim', 'repeated_claim', 'cut_record']
  .map((table) => `ALTER TABLE platen.${table} ADD COLUMN IF NOT EXISTS proof bytea;`)
  .join('\n');

const anyClaimView = `
CREATE OR REPLACE VIEW platen.any_claim AS SELECT * FROM platen.claim UNION ALL SELECT * FROM platen.former_claim;`;

export const fifthLevel = [
  proofColumns,
  anyClaimView,
  keepRepeatedClaimWith('proof'),
  restoreRepeatedClaimWith('proof'),
].join('\n');
