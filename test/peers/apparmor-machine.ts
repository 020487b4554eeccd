/**
 * A virtual machine of QEMU whose kernel, Debian's, has AppArmor: this machine's files below an overlay in memory, Platen at
 * /opt/platen, its user, its profiles loaded. The processor is emulated, for /dev/kvm is no common good.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { kernelFolder } from './hid-machine.ts';

/** What Debian 12's parser takes a kernel to know, where there is none to ask. */
export const features = '/usr/share/apparmor-features/features';

const host = `
folder=$1 platen=$2
mount --make-rprivate /
mount -t tmpfs -o mode=0755 tmpfs "$folder"
cd "$folder"
mkdir upper work root initrd initrd/bin initrd/proc initrd/host
mount -t overlay -o lowerdir=/,upperdir=upper,workdir=work overlay root
mkdir -p root/opt/platen root/etc/platen root/var/lib/platen root/profiles root/room
mount --bind "$platen" root/opt/platen
grep -q ^platen: root/etc/passwd || echo 'platen:x:7381:7381::/var/lib/platen:/usr/sbin/nologin' >>root/etc/passwd
grep -q ^platen: root/etc/group || echo 'platen:x:7381:' >>root/etc/group
for profile in "$platen"/systemd/apparmor/*; do
  apparmor_parser -QT -S -M ${features} "$profile" >"root/profiles/\${profile##*/}"
done
{ printf '%s\\n' '#!/bin/sh' "$FURNISHED"; printf '%s\\n' "$SCRIPT"; echo 'busybox poweroff -f'; } >root/guest
printf '%s\\n' "$BOOTED" >initrd/init
chmod 755 root/guest initrd/init
cp /bin/busybox initrd/bin/
for module in virtio virtio_ring virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci netfs fscache 9pnet 9pnet_virtio 9p; do
  find ${kernelFolder}/lib -name "$module.ko" -exec cp {} initrd/ ';'
done
(cd initrd && find . | busybox cpio -o -H newc 2>/dev/null) >initrd.img
exec qemu-system-x86_64 -accel tcg -cpu max -smp 2 -m 1024 -nodefaults -display none -no-reboot -serial stdio \\
  -kernel ${kernelFolder}/boot/vmlinuz-* -initrd initrd.img \\
  -append 'console=ttyS0 quiet loglevel=1 panic=-1 mitigations=off apparmor=1 security=apparmor' \\
  -fsdev "local,path=$folder/root,security_model=none,multidevs=remap,id=host" \\
  -device virtio-9p-pci,fsdev=host,mount_tag=host </dev/null
`;

/** Passes over the modules, until each one has found those it needs. */
const booted = `#!/bin/busybox sh
b=/bin/busybox
$b mount -t proc proc /proc
for pass in 1 2 3; do for module in /*.ko; do $b insmod $module 2>/dev/null; done; done
$b mount -t 9p -o trans=virtio,version=9p2000.L,msize=1048576,cache=loose host /host
exec $b switch_root /host /guest
`;

const furnished = `
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t securityfs security /sys/kernel/security
mount -t devtmpfs dev /dev
mkdir -p /dev/shm
for folder in /dev/shm /run /tmp /room; do mount -t tmpfs -o mode=1777 tmpfs $folder; done
mount -t tmpfs -o mode=0700,uid=7381,gid=7381 tmpfs /var/lib/platen
busybox ip link set lo up
for profile in /profiles/*; do cat $profile >/sys/kernel/security/apparmor/.replace; done
# As systemd does for AppArmorProfile=.
enter='profile=$1; shift; printf "exec %s" $profile >/proc/self/attr/exec; exec "$@"'
as_root_in() { sh -c "$enter" sh "$@"; }
as_service_in() { setpriv --reuid=platen --regid=platen --clear-groups --no-new-privs sh -c "$enter" sh "$@"; }
# What the profiles have refused since it was asked last.
refusals() { dmesg -c | grep -o 'apparmor="DENIED".*' || echo none; }
`;

/** Tells what the console showed of the script (sh), in which the functions above are. `platen`: the folder of one. */
export async function runBelowAppArmor(
  script: string,
  { platen }: { readonly platen: string },
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-apparmor-'));
  try {
    const { stdout } = await promisify(execFile)(
      'unshare',
      ['-m', 'setpriv', '--pdeathsig=KILL', 'sh', '-euc', host, 'host', folder, platen],
      {
        env: {
          PATH: `${process.env['PATH']}:/usr/sbin:/sbin`,
          FURNISHED: furnished,
          SCRIPT: script,
          BOOTED: booted,
        },
      },
    );
    return stdout.replaceAll('\r', '');
  } finally {
    await rmdir(folder);
  }
}
