/**
 * A `hid` reader of a terminal. It is named by node or by device, and it is a keyboard unless it has a layout for
 * reports.
 */
import { z } from 'zod';
import { reportLayouts } from './known-readers.ts';
import { framingKinds, silentAfterHours } from './text-reader.ts';
import { areUsbAlike, usbDevice } from './usb-device.ts';

/** How a keyboard ends a number. STX and ETX are not keys, and a longer pause would be that of a person who types. */
const keyboardFraming = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: framingKinds.line }),
    z.strictObject({
      kind: framingKinds.fixed,
      length: z.number().int().min(4).max(128).describe('Characters of a number'),
    }),
    z.strictObject({
      kind: framingKinds.gap,
      milliseconds: z
        .number()
        .int()
        .min(10)
        .max(100)
        .default(50)
        .describe('Milliseconds without a key press'),
    }),
  ])
  .optional()
  .describe('How a typed number ends. Default: line');

const rawNode = /^\/dev\/hidraw/;

export const hidReader = z
  .strictObject({
    type: z.literal('hid').describe('A USB reader that types like a keyboard, or sends raw reports'),
    path: z
      .string()
      .startsWith('/', 'must be a path, for example /dev/input/by-id/usb-Reader-event-kbd')
      .optional()
      .describe('The event node of a keyboard, or /dev/hidrawN. Set device instead if the path changes'),
    device: usbDevice.optional(),
    layout: z
      .enum([...reportLayouts.keys()])
      .optional()
      .describe('Position of the number in raw reports. If it is not set, the reader is a keyboard'),
    framing: keyboardFraming,
    silentAfterHours,
  })
  .refine(({ path, device }) => (path === undefined) !== (device === undefined), {
    path: ['path'],
    error: 'must be set, or device instead; not both',
  })
  .refine(({ path = '', layout }) => layout !== undefined || !rawNode.test(path), {
    path: ['layout'],
    error: 'must be set: a hidraw node needs the layout of its reports',
  })
  .refine(({ path = '', layout }) => layout === undefined || !path.startsWith('/dev/input/'), {
    path: ['layout'],
    error: 'is only for hidraw nodes. An event node is a keyboard',
  })
  .refine(({ layout, framing }) => layout === undefined || framing === undefined, {
    path: ['framing'],
    error: 'is only for keyboards. A report contains one number',
  });

export type HidReaderConfig = z.output<typeof hidReader>;

/**
 * Whether both entries may be the same device. A path and a device can only be compared when the reader is plugged in.
 */
export function areHidAlike(one: HidReaderConfig, other: HidReaderConfig): boolean {
  if (one.device !== undefined && other.device !== undefined) return areUsbAlike(one.device, other.device);
  return one.path !== undefined && one.path === other.path;
}
