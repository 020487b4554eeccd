/**
 * Tells the gateways of the site that a person wants a terminal served elsewhere, so that their logs name this person
 * (F11). It is a claim of the person who may write into the engine, and no proof.
 */
import { z } from 'zod';
import type { Log } from '../../core/log.ts';
import type { Engine } from '../engine/engine.ts';

const channel = 'platen_move';

const shape = z.object({
  site: z.string(),
  terminal: z.string().max(255),
  /** The gateway; `auto`: the fleet chooses again. */
  to: z.string().max(255),
  /** The user id on the asker's machine. */
  by: z.number().nullable(),
  from: z.string().max(255),
});

export type MoveNotice = Readonly<z.output<typeof shape>>;

/** A column of a statement that sends the notice. NOTIFY is best effort. */
export const notifyWith = (parameter: string): string => `pg_notify('${channel}', ${parameter})`;

export const noticeText = (notice: MoveNotice): string => JSON.stringify(notice);

export const logMoves = (
  engine: Pick<Engine, 'onNotice'>,
  { site, log }: { readonly site: string; readonly log: Log },
): Disposable =>
  engine.onNotice(channel, (payload) => {
    const notice = noticeIn(payload);
    if (notice?.site !== site) return;
    const { terminal, to, by, from } = notice;
    log.info('terminal move asked for', { terminal, to, from, ...(by === null ? {} : { by }) });
  });

function noticeIn(payload: string): MoveNotice | undefined {
  try {
    return shape.parse(JSON.parse(payload));
  } catch {
    return undefined;
  }
}
