/**
 * The sandbox for reading a stick, and how it is read there (INVARIANTS.md D10, T17). The sandbox can read the
 * stick's device and no other data. It is the unit (`systemd/platen-stick@.service`) if that exists, and then the
 * agent itself has no device; otherwise it is a room of namespaces. No weaker room is used.
 */
import { Readable } from 'node:stream';
import { minutes, seconds } from '../../core/duration.ts';
import type { Env } from '../../domain/env.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import { StickFailure } from '../../domain/ports/sticks.ts';
import { startInOwnRoom } from '../conversion/own-room.ts';
import type { Running } from '../conversion/running.ts';
import type { SandboxLimits } from '../conversion/sandbox-room.ts';
import { isUnitOpen, startInUnit } from '../conversion/unit-room.ts';

const mebibyte = 1024 ** 2;

/** The time includes the upload: data leaves the room as fast as the service takes it. */
export const stickLimits: SandboxLimits = {
  wall: minutes(10),
  cpu: seconds(30),
  addressSpace: 1024 * mebibyte,
  processes: 16,
  files: 1024 * mebibyte,
  output: 1024 * mebibyte,
};

/** `ListenStream=` of `systemd/platen-stick.socket`. */
export const stickSocket = '/run/platen-stick/socket';

export interface StickRoomDeps extends Pick<Env, 'clock' | 'chance'> {
  readonly socket?: string;
  readonly limits?: Partial<SandboxLimits>;
}

interface StickTask {
  /** `/dev/sda`. */
  readonly device: string;
  /** A recipe of `stickRecipes` and its values. */
  readonly words: readonly string[];
}

/** The recipe's output as it comes; throws a `StickFailure`. It ends only if the recipe has succeeded. */
export type StickRoom = (task: StickTask, call: CallOptions) => AsyncGenerator<Buffer>;

/** The room that exists here; rejects with a `StickFailure` if there is none. */
export async function lookAtRoom(deps: StickRoomDeps, call: CallOptions): Promise<'unit' | 'namespaces'> {
  const room = (await isUnitOpen(deps.socket ?? stickSocket)) ? 'unit' : 'namespaces';
  const said = createStickRoom(deps)({ device: '/dev/null', words: ['look'] }, call);
  await said.next();
  return room;
}

export const createStickRoom = (deps: StickRoomDeps): StickRoom =>
  async function* inRoom(task, { signal }) {
    const limits = { ...stickLimits, ...deps.limits };
    const late = deps.clock.deadline(limits.wall, signal);
    await using running = await begun(task, { ...deps, limits, signal });
    late.addEventListener('abort', running.kill, { once: true });
    if (late.aborted) running.kill();
    try {
      yield* afterReady(running.output, limits.output);
      judge(await running.status());
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof StickFailure) throw error;
      throw new StickFailure('unreadable', 'the room of the stick was closed', { cause: error });
    } finally {
      late.removeEventListener('abort', running.kill);
    }
  };

/** The first output of a room; other output before it does not come from a recipe. */
const ready = Buffer.from('ready\n');

async function begun(
  { device, words }: StickTask,
  { socket = stickSocket, chance, limits, signal }: StickRoomDeps & CallOptions & { limits: SandboxLimits },
): Promise<Running> {
  if (await isUnitOpen(socket)) {
    const [recipe = '', ...values] = words;
    const said = [recipe, device.slice(device.lastIndexOf('/') + 1), ...values];
    return startInUnit({ recipe: { words: said }, document: nothing, socket, chance });
  }
  return startInOwnRoom({
    confinement: 'namespaces',
    limits,
    device,
    program: '/bin/sh',
    document: nothing,
    signal,
    arguments: () => [
      '-c',
      `set -efu\ndevice=/dev/stick copy=/tmp/copy\n${stickRecipes}${begins}`,
      'stick',
      ...words,
    ],
  });
}

const nothing = { length: 0, read: () => Readable.from([]) };
const begins = `
command -v mmls fls icat >/dev/null
echo ready
recipe=$1
shift
"$recipe" "$@"`;

async function* afterReady(output: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  let octets = 0;
  for await (const chunk of output) {
    octets += chunk.length;
    if (octets > most) throw new StickFailure('unreadable', `the room wrote more than ${most} octets`);
    if (!head) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < ready.length) continue;
    if (!head.subarray(0, ready.length).equals(ready)) break;
    if (head.length > ready.length) yield head.subarray(ready.length);
    head = undefined;
  }
  if (head)
    throw new StickFailure(
      'not-shut-in',
      'there is no room to read a stick in, or it has no mmls, fls and icat',
    );
}

function judge(status: number): void {
  if (status === lockedStatus) throw new StickFailure('locked', 'the file asks for a password');
  if (status !== 0)
    throw new StickFailure('unreadable', `the program that reads the stick ended with ${status}`);
}

/** The most files that are listed of a filesystem, and the most filesystems of a stick. */
export const listed = { files: 500, filesystems: 8 } as const;

/** The exit status of `file` for a PDF that needs a password. */
const lockedStatus = 3;

/**
 * How a stick is read, as a program for sh(1) that runs only in the sandbox. The Sleuth Kit (4.11 as of Debian 12)
 * reads the filesystem from the device, block by block: FAT, exFAT, NTFS, ext and ISO 9660. Nothing is mounted, so
 * untrusted data never reaches the kernel's drivers, where a fault affects the whole machine. `systemd/stick-room`
 * has the same text, and a test compares the two.
 *
 * Uses `device`, and `copy`, a file that may be written. Only printable files are listed: no folder, link or stream,
 * and no hidden file. A file is read whole before its first octet goes out. If the stick is pulled out during that,
 * nothing goes out.
 */
export const stickRecipes = String.raw`
tab=$(printf '\t')
printable="^r/r [0-9-]*:$tab.*[.](pdf|jpe?g|png)$tab"
hidden="^r/r [0-9-]*:$tab([.$]|.*/[.$])"

# Sectors of 512 octets before each filesystem; a table may count in larger ones. A stick without partitions is one.
beginnings() {
  table=$(mmls -i raw -a "$device") || table=
  sector=$(printf '%s\n' "$table" | sed -n 's/^Units are in \([0-9]\{3,5\}\)-byte sectors$/\1/p' | head -n 1)
  found=$(printf '%s\n' "$table" |
    sed -n 's/^[0-9]\{3,\}:  *[0-9:-]*  *0*\([0-9][0-9]*\)  .*/\1/p' | head -n 8)
  [ -n "$found" ] || found=0 sector=512
  for start in $found; do
    printf '%s\n' $((start * sector / 512))
  done
}

# Nothing but that the room is there.
look() {
  :
}

list() {
  none=1
  for beginning in $(beginnings); do
    fls -i raw -o "$beginning" "$device" >/dev/null || continue
    none=0
    printf '@%s\n' "$beginning"
    fls -i raw -o "$beginning" -r -p -l -F -u "$device" | LC_ALL=C grep -a -i -E "$printable" |
      LC_ALL=C grep -a -v -E "$hidden" | head -n 501
  done
  return "$none"
}

# BEGINNING INODE OCTETS FORMAT
file() {
  icat -i raw -o "$1" "$device" "$2" >"$copy" || return 1
  [ "$(stat -c %s "$copy")" = "$3" ] || return 1
  [ "$4" != pdf ] || ! qpdf --requires-password "$copy" || return 3
  cat "$copy"
}
`;
