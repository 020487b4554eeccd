/** A `serial` reader of a terminal, named by node or by USB device. */
import { z } from 'zod';
import { textReader } from './text-reader.ts';
import { areUsbAlike, usbDevice } from './usb-device.ts';

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
