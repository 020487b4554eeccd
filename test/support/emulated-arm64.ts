/**
 * Programs of arm64 on another processor, by binfmt_misc of a user namespace (Linux 6.7): what the kernel starts by an
 * emulator is said there, and holds nowhere else. It takes root.
 */

/** How a program of arm64 begins, and which of these octets count: Documentation/admin-guide/binfmt-misc.rst of Linux. */
export const arm64Format = (emulator: string, flags = ''): string =>
  String.raw`:arm64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:${emulator}:${flags}`;

// The namespace has the users of the machine.
const enter = `
folder=$(mktemp -d)
cd "$folder"
mkfifo there mapped
(
  read user <there
  for map in uid_map gid_map; do echo 0 0 65536 >/proc/$user/$map; done
  echo >mapped
) &
exec unshare --user --mount sh -euc '
  echo $$ >there
  read go <mapped
  rm there mapped
  rmdir "$PWD"
  cd /
  mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
  printf "%s" "$FORMAT" >/proc/sys/fs/binfmt_misc/register
  exec "$@"
' sh "$@"
`;

/** What a program that starts others of arm64 is started by; the emulator is open from then on, also below another root. */
export const emulating: readonly string[] = [
  'env',
  `FORMAT=${arm64Format('/usr/bin/qemu-aarch64-static', 'F')}`,
  ...['sh', '-euc', enter, 'enter'],
];
