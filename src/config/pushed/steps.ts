/** The steps of a roll-out, in percent of the gateways. The command line checks them too, so this loads nothing else. */

/** The steps must rise and end at 100. */
export const areSteps = (steps: readonly number[]): boolean =>
  steps.at(-1) === 100 && steps.every((percent, index) => index === 0 || percent > (steps[index - 1] ?? 0));

/** The number of gateways in a step: at least one, and all of them at 100 %. */
export const sampleSize = (total: number, percent: number): number =>
  Math.min(total, Math.max(1, Math.ceil((total * percent) / 100)));
