/** As many people as a measurement needs, each with a card of their own and nothing waiting. */
import type { CloudUser } from '../../../src/simulator/cloud/state.ts';
import { sampleData } from '../../../src/simulator/sample/sample-data.ts';

export interface Person extends CloudUser {
  readonly card: string;
}

export function people(count: number): Person[] {
  const [model] = sampleData.users;
  if (!model) throw new Error('the sample data has no user');
  return Array.from({ length: count }, (_, index) => {
    const card = (0x04_a1_b2_00_00 + index).toString(16).toUpperCase().padStart(10, '0');
    return {
      ...model,
      id: 200 + index,
      userName: `person-${index}`,
      shortId: `${9000 + index}`,
      cards: [card],
      card,
    };
  });
}
