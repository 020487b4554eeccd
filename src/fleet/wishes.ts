/**
 * A person's wish where the terminals of a printer are served (F11). It is kept in the engine until it is taken back,
 * and goes before the weights by which the members agree otherwise. The members act on it at their next beats, and
 * log the person who moved the terminal.
 */
import { z } from 'zod';
import type { Log } from '../core/log.ts';
import type { Engine } from './engine/engine.ts';
import type { Statement } from './engine/line.ts';
import { shown } from './engine/shown.ts';
import type { Visit } from './engine/visit.ts';
import { holdChannel } from './hold-table.ts';

const channel = 'platen_move';

/** A column of a statement that sends the notice. NOTIFY is best effort. */
const notifyWith = (parameter: string): string => `pg_notify('${channel}', ${parameter})`;

export interface SetUpMember {
  readonly id: string;
  readonly name: string;
  /** It takes free holds. */
  readonly isServing: boolean;
  /** By terminal, its group. */
  readonly terminals: Readonly<Record<string, string>>;
}

const members: Statement = {
  name: 'set-ups seen',
  text: `SELECT m.id, ${shown('m.name')}, m.until > clock_timestamp() AND m.beating_since IS NOT NULL AS "isServing",
      coalesce(s.terminals, '{}') AS terminals
    FROM platen.member m LEFT JOIN platen.set_up s ON s.member = m.id WHERE m.site = $1 ORDER BY m.name, m.id`,
};
const wish: Statement = {
  name: 'wish kept',
  text: `WITH kept AS (
      INSERT INTO platen.wish AS w (site, "group", member, since) VALUES ($1, $2, $3::uuid, clock_timestamp())
      ON CONFLICT (site, "group") DO UPDATE SET member = excluded.member, since = excluded.since RETURNING 1)
    SELECT pg_notify('${holdChannel}', $1), ${notifyWith('$4')} FROM kept`,
};
const takeBack: Statement = {
  name: 'wish taken back',
  text: `WITH gone AS (DELETE FROM platen.wish WHERE site = $1 AND "group" = $2 RETURNING 1)
    SELECT pg_notify('${holdChannel}', $1), ${notifyWith('$3')} FROM gone`,
};
const holder: Statement = {
  name: 'holder seen',
  text: `SELECT m.id, ${shown('m.name')} FROM platen.hold h
      JOIN platen.member m ON m.id = h.member AND m.incarnation = h.incarnation AND m.until > clock_timestamp()
    WHERE h.site = $1 AND h."group" = $2`,
};

const memberShape = z.object({
  id: z.string(),
  name: z.string(),
  isServing: z.boolean(),
  terminals: z.record(z.string(), z.string()).catch({}),
});
const holderShape = z.object({ id: z.string(), name: z.string() });

export interface Wishes {
  /** The members of the site, by name. */
  members(): Promise<readonly SetUpMember[]>;
  holder(group: string): Promise<z.output<typeof holderShape> | undefined>;
  keep(group: string, member: string, notice: MoveNotice): Promise<void>;
  /** False if there was none. */
  takeBack(group: string, notice: MoveNotice): Promise<boolean>;
}

export const wishesOf = ({ ask }: Pick<Visit, 'ask'>, site: string): Wishes => ({
  members: async () => (await ask(members, [site])).map((row) => memberShape.parse(row)),
  async holder(group) {
    const [row] = await ask(holder, [site, group]);
    return row && holderShape.parse(row);
  },
  async keep(group, member, notice) {
    await ask(wish, [site, group, member, noticeText(notice)]);
  },
  takeBack: async (group, notice) => (await ask(takeBack, [site, group, noticeText(notice)])).length > 0,
});

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

const noticeText = (notice: MoveNotice): string => JSON.stringify(notice);

/**
 * Tells the gateways of the site that a person wants a terminal served elsewhere, so that their logs name this person
 * (F11). It is a claim of the person who may write into the engine, and no proof.
 */
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
