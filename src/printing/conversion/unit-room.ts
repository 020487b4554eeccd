/**
 * The room that systemd makes (`systemd/platen-converter@.service`): each connection is a process of its own, shut in
 * further than the agent could by itself. The agent says which recipe with which values; the command lines are those of
 * `systemd/converter-room`, the limits those of the unit, but for time and output, which are watched here as well.
 */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { connect } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Chance } from '../../core/chance.ts';
import type { SpooledDocument } from '../../domain/ports/printing.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import type { Recipe } from './conversion-commands.ts';
import type { Running } from './running.ts';
import { failed } from './running.ts';

/** `ListenStream=` of `systemd/platen-converter.socket`. */
export const unitSocket = '/run/platen-converter/socket';

/** The unit is there, and this user may call it. */
export const isUnitOpen = (socket: string): Promise<boolean> =>
  access(socket, constants.W_OK).then(
    () => true,
    () => false,
  );

/** Ends with status 0 where both programs are there. */
export const look: Pick<Recipe, 'words'> = { words: ['look'] };

export interface UnitTask {
  readonly recipe: Pick<Recipe, 'words' | 'beside'>;
  readonly document: Pick<SpooledDocument, 'read' | 'length'>;
  readonly socket: string;
  readonly chance: Chance;
}

export function startInUnit({ recipe, document, socket: path, chance }: UnitTask): Running {
  // What a program writes cannot pass for the record of its end: it does not know the word.
  const token = chance.bytes(tokenOctets).toString('hex');
  const beside = Buffer.from(recipe.beside ?? '');
  const socket = connect(path);
  socket.write(`${[token, beside.length, document.length, ...recipe.words].join(' ')}\n`);
  socket.write(beside);
  // The connection stays open: it tells the room that the agent is there.
  const fed = pipeline(document.read(), socket, { end: false });
  fed.catch((error: Error) => socket.destroy(error));
  let status: number | undefined;

  async function* output(): AsyncGenerator<Buffer> {
    let held = empty;
    try {
      for await (const chunk of socket as AsyncIterable<Buffer>) {
        const [before, seen] =
          chunk.length < recordOctets ? [empty, Buffer.concat([held, chunk])] : [held, chunk];
        const end = Math.max(0, seen.length - recordOctets);
        held = Buffer.from(seen.subarray(end));
        if (before.length > 0) yield before;
        if (end > 0) yield seen.subarray(0, end);
        status = statusIn(held, token);
        if (status !== undefined) return;
      }
    } catch (error) {
      throw isProblem(error) ? error : cut(error);
    }
  }

  const kill = () => void socket.destroy();
  return {
    output: output(),
    async status() {
      if (status !== undefined) return status;
      await fed;
      throw cut();
    },
    kill,
    [Symbol.asyncDispose]: async () => kill(),
  };
}

const empty: Buffer = Buffer.alloc(0);
const tokenOctets = 16;
const recordOctets = `\nend ${'0'.repeat(2 * tokenOctets)} 000\n`.length;

function statusIn(record: Buffer, token: string): number | undefined {
  const [, told, status] = /^\nend ([0-9a-f]+) (\d{3})\n$/.exec(record.toString('latin1')) ?? [];
  return told === token ? Number(status) : undefined;
}

/** Its unit was stopped, or met a limit. */
const cut = (cause?: unknown) =>
  failed('its room was closed before it had ended', { reasons: ['killed'], cause });
