/** `stick` of a terminal: whether people may print from a USB stick that they put into this machine. */
import { z } from 'zod';

const mebibyte = 1024 ** 2;
const what = 'off, or { device: auto }';
const place = 'must be auto, or the whole path of a device, as of one in /dev/disk/by-path';

export const stick = z
  .union(
    [
      z.literal('off'),
      z.strictObject({
        device: z
          .union([z.literal('auto'), z.string().regex(/^\/[^\0]+$/, place)], place)
          .default('auto')
          .describe(
            'Where a stick is; auto: any removable USB disk of this machine; else a path, such as one of /dev/disk/by-path, which is one USB socket',
          ),
        largestMiB: z.int().min(1).max(200).default(200).describe('Larger files are not taken; MiB'),
        queue: z
          .string()
          .min(1)
          .max(255)
          .optional()
          .describe(
            'Name of the input port that files are sent to, a pull queue; without it: the first that the service tells for the person',
          ),
      }),
    ],
    `must be ${what}`,
  )
  .default('off')
  .transform((said) => {
    if (said === 'off') return undefined;
    const { device, largestMiB, queue } = said;
    return { device, largest: largestMiB * mebibyte, queue };
  })
  .describe('Printing from a USB stick: PDF, JPEG and PNG files');

export type StickConfig = NonNullable<z.output<typeof stick>>;
