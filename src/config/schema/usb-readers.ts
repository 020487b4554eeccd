/**
 * The readers at a USB port, `hid` and `serial`, named by node or by device. A `hid` reader is a keyboard unless it
 * has a layout for reports.
 */
import { z } from 'zod';
import { reportLayouts } from './known-readers.ts';
import { framingKinds, silentAfterHours, textReader } from './text-reader.ts';

const pattern = /^([0-9a-f]{4}):([0-9a-f]{4})(?::([\u0021-\u007e]{1,126}))?$/i;

const usbDevice = z
  .string()
  .regex(pattern, 'must be vendor:product or vendor:product:serial, for example 09d8:0410')
  .describe('The USB device, vendor:product[:serial] as lsusb shows them. Platen finds its node');

interface UsbNumbers {
  /** Four hex digits, as `product` has. */
  readonly vendor: string;
  readonly product: string;
  readonly serial?: string;
}

/** Splits `09d8:0410:1234` into its parts: `vendor:product[:serial]`, independent of the device's node. */
export function usbDeviceOf(text: string): UsbNumbers {
  const [, vendor = '', product = '', serial] = pattern.exec(text) ?? [];
  return { vendor, product, ...(serial === undefined ? {} : { serial }) };
}

/** Whether both entries may be the same device. */
function areUsbAlike(one: string, other: string): boolean {
  const [a, b] = [usbDeviceOf(one.toLowerCase()), usbDeviceOf(other.toLowerCase())];
  if (a.vendor !== b.vendor || a.product !== b.product) return false;
  return a.serial === undefined || b.serial === undefined || a.serial === b.serial;
}

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

/** A `serial` reader of a terminal, named by node or by USB device. */
export const serialReader = z
  .strictObject({
    type: z.literal('serial').describe('A reader on a serial port, or on USB as a serial port'),
    path: z
      .string()
      .min(1)
      .optional()
      .describe(
        'The serial port. A path in /dev/serial/by-id/ stays the same when the reader is plugged in again. Or set device instead',
      ),
    device: usbDevice.optional(),
    baudRate: z
      .number()
      .int()
      .min(110)
      .max(4_000_000)
      .default(9600)
      .describe('Speed of the port, in bits per second'),
    ...textReader,
  })
  .refine(({ path, device }) => (path === undefined) !== (device === undefined), {
    path: ['path'],
    error: 'must be set, or device instead; not both',
  });

type SerialReaderConfig = z.output<typeof serialReader>;

/**
 * Whether both entries may be the same device. Between a path and a device, the lock on the port decides at runtime.
 */
export function areSerialAlike(one: SerialReaderConfig, other: SerialReaderConfig): boolean {
  if (one.device !== undefined && other.device !== undefined) return areUsbAlike(one.device, other.device);
  return one.path !== undefined && one.path === other.path;
}
