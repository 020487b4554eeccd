/**
 * The two rooms that are made here for a program, as command lines of util-linux (unshare(1), prlimit(1), setpriv(1),
 * mount(8)). `namespaces`: the program has its own users, mounts, network and processes. It sees the system's programs
 * read-only and its document on a tmpfs that ends with it, nothing else. `limits`: for systems without user namespaces.
 * Resources are limited and no privileges can be gained, but the program sees everything that the agent's user sees. No
 * word from a document, a printer or the service gets into the script: values are passed as arguments.
 */
import type { Duration } from '../../core/duration.ts';
import { inSeconds } from '../../core/duration.ts';

/** Octets count for one process or for the tmpfs; `wall` and `output` are watched from outside. */
export interface SandboxLimits {
  readonly wall: Duration;
  readonly cpu: Duration;
  readonly addressSpace: number;
  readonly processes: number;
  /** The document and the files that the program writes beside it. */
  readonly files: number;
  readonly output: number;
}

/** The rooms that are made here. */
export type OwnConfinement = 'namespaces' | 'limits';

/** `unit`: the room is systemd's (unit-room.ts). */
export type Confinement = 'unit' | OwnConfinement;

/** The weakest first. */
export const confinements: readonly Confinement[] = ['limits', 'namespaces', 'unit'];

/** Paths inside the room. */
export interface Places {
  readonly document: string;
  /** A second file without personal data. */
  readonly beside: string;
}

export interface Room {
  readonly confinement: OwnConfinement;
  readonly places: Places;
  /** The folder for the program's own temporary files. */
  readonly scratch: string;
}

/** A converter never runs as root; root becomes this user. */
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
 * Makes a new root of the system's own programs and libraries. A program that lies elsewhere is added alone, without
 * the files beside it. The old root is gone before the document comes in. `/proc` is there only for umount(8), which
 * reads it, and then goes.
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
  /** A device of the machine, read-only, seen as `/dev/stick` inside. In namespaces only. */
  readonly device?: string | undefined;
}

/** `user` is the agent's own user. The first word is the program to start. */
export function commandLine({
  user,
  ...shut
}: Shut & { readonly user: number }): readonly [string, string[]] {
  const { room, limits, beside, program, device = '' } = shut;
  // The program ends when the agent ends, in any way.
  const bound = ['--pdeathsig', 'KILL', ...(user === 0 ? asUnprivilegedUser : [])];
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

const asUnprivilegedUser = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
const withoutCapabilities = ['--bounding-set=-all', '--inh-caps=-all'];

function limitedProgram({ limits, program, arguments: words }: Shut): readonly string[] {
  const cpu = Math.max(1, Math.ceil(inSeconds(limits.cpu)));
  return [
    'prlimit',
    // Soft limit SIGXCPU, hard limit SIGKILL: so a lack of time can be told from a lack of memory.
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
