/** A virtual machine into which a USB stick is put, and out of which it is pulled. */
import type { VirtualMachine } from './virtual-machine.ts';
import { startVirtualMachine } from './virtual-machine.ts';

/** No chroot, as a keyboard's machine has it: within one nobody may make the namespaces of a room. */
const init = (program: string): string => `
$b mount -t proc proc /host/proc
$b mount -t sysfs sys /host/sys
$b mount -t devtmpfs dev /host/dev
exec $b switch_root /host /bin/sh -c '
  ${process.execPath} ${program}
  echo "{\\"what\\":\\"ended\\"}"
  busybox poweroff -f'
`;

export interface StickMachine extends VirtualMachine {
  putIn(): Promise<void>;
  pullOut(): Promise<void>;
}

export async function startStickMachine(program: string, image: string): Promise<StickMachine> {
  const machine = await startVirtualMachine({
    init: init(program),
    modules: [
      ...['usb-common', 'usbcore', 'xhci-hcd', 'xhci-pci', 'crct10dif_common', 'crc-t10dif', 'crc64'],
      ...['crc64-rocksoft', 't10-pi', 'scsi_common', 'scsi_mod', 'sd_mod', 'usb-storage'],
    ],
    devices: [
      ...['-device', 'qemu-xhci,id=usb'],
      ...['-blockdev', `driver=raw,node-name=image,read-only=on,file.driver=file,file.filename=${image}`],
    ],
  });
  return {
    ...machine,
    putIn: () =>
      machine.ask('device_add', {
        ...{ driver: 'usb-storage', bus: 'usb.0', id: 'stick', drive: 'image', removable: true },
      }),
    pullOut: () => machine.ask('device_del', { id: 'stick' }),
    [Symbol.asyncDispose]: () => machine[Symbol.asyncDispose](),
  };
}
