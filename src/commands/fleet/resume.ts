/**
 * `platen fleet resume`: a roll-out that was paused or has halted continues. The person who resumes has looked at it,
 * so the terminals that are ready now are the new reference.
 */
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { atOffice } from './office.ts';
import { versionOf } from './roll.ts';
import { watchRollout } from './watch.ts';

export interface ResumeOptions {
  readonly config: string;
  readonly watch?: boolean;
}

export async function resumeCommand({ config, watch }: ResumeOptions, io: Io): Promise<number> {
  const number = await atOffice(config, io, async ({ orders }) => {
    const newest = await orders.newest(io.stop);
    if (newest?.state !== 'paused' && newest?.state !== 'halted') {
      throw new CommandFailed(
        newest ? `Roll-out ${newest.number} is ${newest.state}` : 'There was no roll-out yet',
      );
    }
    if (!(await orders.resume(newest, io.stop))) {
      throw new CommandFailed('Another administrator changed it meanwhile. To see it: platen fleet status');
    }
    io.out(`Roll-out ${newest.number} of version ${versionOf(newest)} continues.`);
    return newest.number;
  });
  return watch ? watchRollout({ config, number }, io) : exitCode.ok;
}
