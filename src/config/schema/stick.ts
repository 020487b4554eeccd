/** `stick` of a terminal: whether people may print from a USB stick in this machine. */
import { z } from 'zod';

const mebibyte = 1024 ** 2;
const what = 'off, or { device: auto }';
const place = 'must be auto, or the full path of a device, for example of one in /dev/disk/by-path';

export const stick = z
  .union(
    [
      z.literal('off'),
      z.strictObject({
        device: z
          .union([z.literal('auto'), z.string().regex(/^\/[^\0]+$/, place)], place)
          .default('auto')
          .describe(
            'Device of the stick. auto: any removable USB disk of this machine. Otherwise a path, for example one in /dev/disk/by-path, which is one USB socket',
          ),
        largestMiB: z
          .int()
          .min(1)
          .max(200)
          .default(200)
          .describe('Maximum size of a file, in MiB. Platen does not accept larger files'),
        queue: z
          .string()
          .min(1)
          .max(255)
          .optional()
          .describe(
            'Name of the input port for the files, a pull queue. Default: the first that the service lists for the person',
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
