/** A gateway that is in no fleet is looked at as many are. */
import { describe } from 'vitest';
import { createOwnGateway } from '../../src/status/digest.ts';
import { sampleDigest } from '../support/fleet/sample-digest.ts';
import { gatewaysContract } from './gateways.ts';

describe('a gateway alone', () => {
  const own = sampleDigest();
  gatewaysContract(async () => ({
    gateways: createOwnGateway(() => own),
    own,
    async [Symbol.asyncDispose]() {},
  }));
});
