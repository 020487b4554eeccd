/**
 * Who wanted a terminal served elsewhere: told to the gateways of the site as it is asked for, and written into their logs
 * (F11). It is the word of whoever may write into the engine, and no proof.
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
  /** The user id on the machine that it was asked at. */
  by: z.number().nullable(),
  from: z.string().max(255),
});

export type MoveNotice = Readonly<z.output<typeof shape>>;

/** A column of a statement that tells of it: best effort, as all that is said by NOTIFY. */
export const toldBy = (parameter: string): string => `pg_notify('${channel}', ${parameter})`;

export const noticeText = (notice: MoveNotice): string => JSON.stringify(notice);

/** Writes what is asked for at the site into the log. */
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
