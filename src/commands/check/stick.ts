/** Can the USB sticks that people bring be read, if a terminal has a place for them? */
import { existsSync } from 'node:fs';
import type { Config } from '../../config/schema/config.ts';
import { systemChance } from '../../core/chance.ts';
import { systemClock } from '../../core/clock.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import { StickFailure } from '../../domain/ports/sticks.ts';
import { lookAtRoom, stickSocket } from '../../printing/stick/stick-room.ts';
import type { Examination, Step } from './examination.ts';

export const examineStick = ({ terminals }: Pick<Config, 'terminals'>): readonly Step[] =>
  terminals.some(({ stick }) => stick) ? [{ what: 'stick', kind: 'stick', examine: examineRoom }] : [];

const advice =
  'Install sleuthkit, run sh systemd/install --stick, and systemctl enable --now platen-stick.socket';

async function examineRoom(call: CallOptions): ReturnType<Examination> {
  try {
    const room = await lookAtRoom({ clock: systemClock, chance: systemChance }, call);
    if (room === 'unit') return 'sticks are read in a unit of systemd (platen-stick)';
    const agents = existsSync(stickSocket)
      ? 'the agent may use platen-stick, but this user may not'
      : `an agent that is a service needs platen-stick: ${advice}`;
    return `sticks are read in namespaces; ${agents}`;
  } catch (error) {
    if (!(error instanceof StickFailure)) throw error;
    return { waiting: `Nobody can print from a stick. Reason: ${error.message}. ${advice}` };
  }
}
