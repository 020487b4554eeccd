/**
 * What became of a badge that the service was told of: it prints; it definitely does not; or nobody knows, for the answer
 * was lost.
 */
export const relayOutcomes = ['taken', 'refused', 'unknown'] as const;
export type RelayOutcome = (typeof relayOutcomes)[number];
