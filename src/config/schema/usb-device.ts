/** A USB device in the configuration, independent of its node: `vendor:product[:serial]`. */
import { z } from 'zod';

const pattern = /^([0-9a-f]{4}):([0-9a-f]{4})(?::([\u0021-\u007e]{1,126}))?$/i;

export const usbDevice = z
  .string()
  .regex(pattern, 'must be vendor:product or vendor:product:serial, for example 09d8:0410')
  .describe('The USB device, vendor:product[:serial] as lsusb shows them. Platen finds its node');

export interface UsbNumbers {
  /** Four hex digits, as `product` has. */
  readonly vendor: string;
  readonly product: string;
  readonly serial?: string;
}

/** Splits `09d8:0410:1234` into its parts. */
export function usbDeviceOf(text: string): UsbNumbers {
  const [, vendor = '', product = '', serial] = pattern.exec(text) ?? [];
  return { vendor, product, ...(serial === undefined ? {} : { serial }) };
}

/** Whether both entries may be the same device. */
export function areUsbAlike(one: string, other: string): boolean {
  const [a, b] = [usbDeviceOf(one.toLowerCase()), usbDeviceOf(other.toLowerCase())];
  if (a.vendor !== b.vendor || a.product !== b.product) return false;
  return a.serial === undefined || b.serial === undefined || a.serial === b.serial;
}
