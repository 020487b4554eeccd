/**
 * `platen fleet pause`: the newest roll-out goes to no other gateway until it is resumed. A pause needs no signature.
 */
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { atOffice } from './office.ts';
import { versionOf } from './roll.ts';

export const pauseCommand = ({ config }: { readonly config: string }, io: Io): Promise<number> =>
  atOffice(config, io, async ({ orders }) => {
    const newest = await orders.newest(io.stop);
    if (newest?.state !== 'running') {
      throw new CommandFailed(
        newest ? `Roll-out ${newest.number} is ${newest.state}` : 'There was no roll-out yet',
      );
    }
    if (!(await orders.pause(newest, io.stop))) {
      throw new CommandFailed('The roll-out made a step meanwhile. Run platen fleet pause again');
    }
    io.out(
      `Roll-out ${newest.number} of version ${versionOf(newest)} is paused. To continue: platen fleet resume`,
    );
    return exitCode.ok;
  });
