/** The form of what a person may say or keep about paper. It is apart because the page needs no form. */
import { z } from 'zod';
import { workKinds } from './paper-work.ts';

/** A keyword of the printer has at most 255 octets (RFC 8011 section 5.1.4). */
export const paperWork = z.partialRecord(z.enum(workKinds), z.string().regex(/^[ -~]{1,255}$/));
