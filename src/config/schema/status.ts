/** `status`: how often and where the state is reported to the service. */
import { z } from 'zod';

const placeholders = ['outputPortId', 'serialNumber', 'terminalId'];

export const status = z.strictObject({
  intervalSeconds: z
    .number()
    .int()
    .min(5)
    .max(86_400)
    .optional()
    .describe(
      'Seconds between two status reports to the service while nothing changes. Default: 60, and 900 in a fleet',
    ),
  report: z
    .union([
      z.literal('off'),
      z.strictObject({
        method: z.enum(['PUT', 'POST', 'PATCH']).default('PUT').describe('HTTP method of the report'),
        path: z
          .string()
          .regex(/^\/[^\s?#]*$/, 'must be a path that begins with /')
          .refine(
            (path) => [...path.matchAll(/\{(.*?)\}/g)].every(([, name = '']) => placeholders.includes(name)),
            'may contain only the placeholders {outputPortId}, {serialNumber} and {terminalId}',
          )
          .default('/api/v1/outputports/{outputPortId}/terminalinfo')
          .describe(
            'Path of the report below cloud.baseUrl. It may contain {outputPortId}, {serialNumber} and {terminalId}',
          ),
      }),
    ])
    .prefault({})
    .describe('How Platen reports the status to the service. off: it does not'),
});
