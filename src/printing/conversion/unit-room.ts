/**
 * The room that systemd makes (`systemd/platen-converter@.service`): each connection is its own process, confined
 * further than the agent could do. The agent sends the name of a recipe and its values. `systemd/converter-room` makes
 * the command line, and the unit sets the limits; time and output are also watched here. The request and the answer
 * are:
 *
 * +-------------------------------------------------------------------+--------------+----------------+
 * |  token SP length of beside SP length of document SP words ... LF  |  beside      |  document      |
 * +-------------------------------------------------------------------+--------------+----------------+
 *
 * +-------------------------------+-------------------------------------------+
 * |  output of the program        |  LF "end" SP token SP status (3 digits) LF  |
 * +-------------------------------+-------------------------------------------+
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

/** The unit exists and this user may call it. */
export const isUnitOpen = (socket: string): Promise<boolean> =>
  access(socket, constants.W_OK).then(
    () => true,
    () => false,
  );

/** Ends with status 0 if both programs are there. */
export const look: Pick<Recipe, 'words'> = { words: ['look'] };

export interface UnitTask {
  readonly recipe: Pick<Recipe, 'words' | 'beside'>;
  readonly document: Pick<SpooledDocument, 'read' | 'length'>;
  readonly socket: string;
  readonly chance: Chance;
}

export function startInUnit({ recipe, document, socket: path, chance }: UnitTask): Running {
  // The program does not know the token, so its output cannot imitate the record of the end.
  const token = chance.bytes(tokenOctets).toString('hex');
  const beside = Buffer.from(recipe.beside ?? '');
  const socket = connect(path);
  socket.write(`${[token, beside.length, document.length, ...recipe.words].join(' ')}\n`);
  socket.write(beside);
  // The connection stays open: it shows the room that the agent is there.
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
  const [, givenToken, status] = /^\nend ([0-9a-f]+) (\d{3})\n$/.exec(record.toString('latin1')) ?? [];
  return givenToken === token ? Number(status) : undefined;
}

/** The unit was stopped or met a limit. */
const cut = (cause?: unknown) =>
  failed('its room was closed before it had ended', { reasons: ['killed'], cause });
