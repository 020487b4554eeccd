/** `conversion`: the programs that make another format of a document, and how they are confined. */
import { z } from 'zod';
import type { Outside } from './values.ts';
import { conversionRooms, readBy } from './values.ts';

/** A name on the system's path, or where the program is. */
const program = (usual: string) =>
  z
    .string()
    .regex(/^(\/[^\0]+|[A-Za-z0-9._-]+)$/, 'must be the name of a program, or its absolute path')
    .default(usual);

export const conversion = (outside: Outside) =>
  z.strictObject({
    ghostscript: program('gs').describe('Ghostscript: a name on the path, or its absolute path'),
    qpdf: program('qpdf').describe('qpdf: a name on the path, or its absolute path'),
    require: z
      .enum(conversionRooms)
      .optional()
      .transform(readBy(outside.conversionRoom))
      .describe(
        'The weakest confinement in which these programs may run. From strongest to weakest: unit, namespaces, limits. Default: namespaces',
      ),
  });
