/** The system's name of an error (errno(3)), as Node sets it. */
export const errnoOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** The same for a sentence, which needs a word in any case. */
export const errnoSaid = (error: unknown): string => errnoOf(error) ?? 'unknown error';
