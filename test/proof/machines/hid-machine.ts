/** A virtual machine with a USB keyboard that can be typed on, pulled and put back. */
import type { VirtualMachine } from './virtual-machine.ts';
import { startVirtualMachine } from './virtual-machine.ts';

const init = (program: string): string => `
$b mount -t proc proc /host/proc
$b mount -t sysfs sys /host/sys
$b mount -t devtmpfs dev /host/dev
$b chroot /host ${process.execPath} ${program}
$b echo '{"what":"ended"}'
$b poweroff -f
`;

export interface Machine extends VirtualMachine {
  /** Each key down and up, and Enter; at most seven keys, which is what the keyboard remembers. */
  type(keys: string): Promise<void>;
  pullKeyboard(): Promise<void>;
  plugInKeyboard(): Promise<void>;
}

export async function startMachine(program: string): Promise<Machine> {
  const machine = await startVirtualMachine({
    init: init(program),
    modules: ['usb-common', 'usbcore', 'xhci-hcd', 'xhci-pci', 'hid', 'usbhid', 'hid-generic', 'evdev'],
    devices: ['-device', 'qemu-xhci,id=usb', '-device', 'usb-kbd,bus=usb.0,id=keyboard'],
  });
  return {
    ...machine,
    type: (keys) =>
      machine.ask('input-send-event', {
        events: [...keys, 'ret'].flatMap((key) => [keyEvent(key, true), keyEvent(key, false)]),
      }),
    pullKeyboard: () => machine.ask('device_del', { id: 'keyboard' }),
    plugInKeyboard: () => machine.ask('device_add', { driver: 'usb-kbd', bus: 'usb.0', id: 'keyboard' }),
    [Symbol.asyncDispose]: () => machine[Symbol.asyncDispose](),
  };
}

const keyEvent = (key: string, down: boolean): object => ({
  type: 'key',
  data: { down, key: { type: 'qcode', data: key } },
});
