/**
 * The statements of a diagnosis, for rows of `platen.diagnosis` and `platen.diagnosis_part`. Rows are removed when they
 * were fetched, and after an hour in any case. A question older than ten minutes is not answered.
 */
import { z } from 'zod';
import type { Statement } from '../engine/line.ts';

export const diagnosisChannel = 'platen_diagnosis';

/** The size of a bundle; the last week of a busy gateway has a tenth of it. */
export const mostOctets = 8 * 1024 * 1024;
/** A statement has 3 s, and others wait behind it. */
export const partOctets = 256 * 1024;

const now = 'clock_timestamp()';

export const ask: Statement = {
  name: 'diagnosis asked for',
  text: `WITH asked AS (
      INSERT INTO platen.diagnosis (id, member, asked_at, by_user, from_machine, public_key, proof)
      VALUES ($1::uuid, $2::uuid, ${now}, $3, $4, $5, $6) RETURNING member)
    SELECT pg_notify('${diagnosisChannel}', member::text) FROM asked`,
};
export const answerOf: Statement = {
  name: 'diagnosis looked for',
  text: 'SELECT parts, problem FROM platen.diagnosis WHERE id = $1::uuid',
};
export const partOf: Statement = {
  name: 'part of a diagnosis fetched',
  text: 'SELECT body FROM platen.diagnosis_part WHERE diagnosis = $1::uuid AND number = $2',
};
/** Its parts go with it. */
export const takeAway: Statement = {
  name: 'diagnosis taken away',
  text: 'DELETE FROM platen.diagnosis WHERE id = $1::uuid',
};

/** Each look also removes old rows. */
export const open: Statement = {
  name: 'diagnoses asked for',
  text: `WITH old AS (DELETE FROM platen.diagnosis WHERE asked_at < ${now} - interval '1 hour')
    SELECT id, member, by_user AS "by", from_machine AS "from", public_key AS "publicKey", proof
    FROM platen.diagnosis
    WHERE member = $1::uuid AND parts IS NULL AND problem IS NULL AND asked_at > ${now} - interval '10 minutes'
    ORDER BY asked_at LIMIT 8`,
};
/** Does nothing if the asker has gone. */
export const part: Statement = {
  name: 'part of a diagnosis left',
  text: `INSERT INTO platen.diagnosis_part (diagnosis, number, body)
    SELECT id, $2, $3 FROM platen.diagnosis WHERE id = $1::uuid
    ON CONFLICT (diagnosis, number) DO UPDATE SET body = excluded.body`,
};
export const answered: Statement = {
  name: 'diagnosis answered',
  text: 'UPDATE platen.diagnosis SET parts = $2, problem = $3 WHERE id = $1::uuid',
};

export const openShape = z.object({
  id: z.uuid(),
  member: z.uuid(),
  by: z.number().nullable(),
  from: z.string(),
  publicKey: z.instanceof(Uint8Array),
  proof: z.instanceof(Uint8Array),
});
export const answerShape = z.object({
  parts: z.int().nonnegative().nullable(),
  problem: z.string().nullable(),
});
export const partShape = z.object({ body: z.instanceof(Uint8Array) });
