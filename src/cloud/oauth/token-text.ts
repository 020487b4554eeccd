/** A token or code that fits into a header or a form: visible ASCII (RFC 6749 appendix A.12). */
import { z } from 'zod';

export const tokenText = z.string().regex(/^[\x21-\x7e]{1,8192}$/, 'is no token');
