/** The holds of a gateway that is in no fleet keep the contract. */
import { describe } from 'vitest';
import { createEmbeddedHolds } from '../../src/station/embedded-holds.ts';
import { describeHolds } from './holds.ts';

describe('embedded holds', () => {
  describeHolds(async () => createEmbeddedHolds());
});
