/**
 * The result for a badge that was reported to the service: it prints; it definitely does not; or the answer was lost
 * and the result is unknown.
 */
export const relayOutcomes = ['taken', 'refused', 'unknown'] as const;
export type RelayOutcome = (typeof relayOutcomes)[number];
