/**
 * The two rooms that are made here for a program, as command lines of util-linux (unshare(1), prlimit(1), setpriv(1), mount(8)).
 * `namespaces`: its own users, mounts, network and processes; it sees the system's programs read-only, its document on
 * a tmpfs that ends with it, and nothing else. `limits`: where the system gives no user namespaces, its resources are
 * limited all the same, and it may gain no privileges, but it sees what the agent's user sees. Not a word of a document,
 * a printer or the service gets into the script: what differs from run to run are its arguments.
 */
import type { Duration } from '../../core/duration.ts';
import { inSeconds } from '../../core/duration.ts';

/** Octets are those of one process, or of the tmpfs; `wall` and the output are watched from outside. */
export interface SandboxLimits {
  readonly wall: Duration;
  readonly cpu: Duration;
  readonly addressSpace: number;
  readonly processes: number;
  /** Of the document and what the program writes beside it. */
  readonly files: number;
  readonly output: number;
}

/** Of the rooms that are made here. */
export type OwnConfinement = 'namespaces' | 'limits';

/** `unit`: the room is systemd's (unit-room.ts). */
export type Confinement = 'unit' | OwnConfinement;

/** The weakest first. */
export const confinements: readonly Confinement[] = ['limits', 'namespaces', 'unit'];

/** Where things lie inside. */
export interface Places {
  readonly document: string;
  /** A second file that holds nothing of anybody. */
  readonly beside: string;
}

export interface Room {
  readonly confinement: OwnConfinement;
  readonly places: Places;
  /** Where the program keeps what it writes beside its output. */
  readonly scratch: string;
}

/** What root becomes: a converter never runs as root. */
export const nobody = 65_534;

export const namespaces: Room = {
  confinement: 'namespaces',
  places: { document: '/tmp/document', beside: '/tmp/beside' },
  scratch: '/tmp',
};

/** The document is standard input itself: a file without a name on a tmpfs. */
export const limitsOnly = (scratch: string): Room => ({
  confinement: 'limits',
  places: { document: '/proc/self/fd/0', beside: `${scratch}/beside` },
  scratch,
});

/**
 * A new root of the system's own programs and libraries, and of a program that lies elsewhere: that alone, and nothing that
 * lies beside it. The old one is gone before the document comes in. `/proc` stays
 * away: it is there for the moment of umount(8), which reads it.
 */
const furnish = `
set -e
size=$1 beside=$2 program=$3 stick=$4
shift 4
mount -t tmpfs -o "mode=755,nodev,nosuid,size=$size" tmpfs /mnt
cd /mnt
mkdir tmp dev etc old
for path in /usr /bin /sbin /lib /lib32 /lib64 /libx32 /nix/store /etc/alternatives /etc/fonts /etc/ghostscript \\
  /etc/ld.so.cache /var/lib/ghostscript; do
  [ -e "$path" ] && [ ! -e ".$path" ] || continue
  if [ -L "$path" ]; then cp -P "$path" ".$path"; continue; fi
  if [ -d "$path" ]; then mkdir -p ".$path"; else : >".$path"; fi
  mount -o bind,ro "$path" ".$path" 2>/dev/null || mount --rbind "$path" ".$path"
done
if [ ! -e ".$program" ]; then
  mkdir -p ".\${program%/*}"
  : >".$program"
  mount -o bind,ro "$program" ".$program" 2>/dev/null || mount --bind "$program" ".$program"
fi
for device in null zero urandom; do
  : >dev/$device
  mount --bind /dev/$device dev/$device
done
if [ -n "$stick" ]; then
  : >dev/stick
  mount --bind "$stick" dev/stick
fi
pivot_root . old
cd /
ln -s old/proc proc
umount -l /old
rm -r proc old
cat >/tmp/document
printf '%s' "$beside" >/tmp/beside
exec </dev/null
"$@"
exit $?`;

interface Shut {
  readonly room: Room;
  readonly limits: SandboxLimits;
  readonly program: string;
  readonly arguments: readonly string[];
  readonly beside: string;
  /** Of the machine, to read: `/dev/stick` inside. In namespaces only. */
  readonly device?: string | undefined;
}

/** `user` is the agent's own. The first word is the program to start. */
export function commandLine({
  user,
  ...shut
}: Shut & { readonly user: number }): readonly [string, string[]] {
  const { room, limits, beside, program, device = '' } = shut;
  // The agent's end is the program's end, however the agent ended.
  const bound = ['--pdeathsig', 'KILL', ...(user === 0 ? asNobody : [])];
  const limited = limitedProgram(shut);
  if (room.confinement === 'limits') return ['setpriv', [...bound, '--no-new-privs', ...limited]];
  return [
    'setpriv',
    [
      ...bound,
      'unshare',
      '--user',
      '--map-root-user',
      '--mount',
      '--net',
      '--ipc',
      '--uts',
      '--pid',
      '--fork',
      '--kill-child=KILL',
      '/bin/sh',
      '-c',
      furnish,
      'sandbox',
      String(limits.files),
      beside,
      program,
      device,
      'setpriv',
      '--no-new-privs',
      ...withoutCapabilities,
      ...limited,
    ],
  ];
}

const asNobody = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
const withoutCapabilities = ['--bounding-set=-all', '--inh-caps=-all'];

function limitedProgram({ limits, program, arguments: words }: Shut): readonly string[] {
  const cpu = Math.max(1, Math.ceil(inSeconds(limits.cpu)));
  return [
    'prlimit',
    // Soft limit SIGXCPU, hard limit SIGKILL: so a kill for lack of memory looks otherwise than one for lack of time.
    `--cpu=${cpu}:${cpu + 2}`,
    `--as=${limits.addressSpace}`,
    `--nproc=${limits.processes}`,
    `--fsize=${limits.files}`,
    '--core=0',
    '--nofile=64',
    program,
    ...words,
  ];
}
