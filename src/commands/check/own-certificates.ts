/** The end dates of the certificates in the configuration: the gateway's own, and the authorities that it trusts. */
import type { CertificateEnd } from '../../config/certificate-ends.ts';
import { certificateEnds } from '../../config/certificate-ends.ts';
import type { Config } from '../../config/schema/config.ts';
import { systemClock } from '../../core/clock.ts';
import { hours } from '../../core/duration.ts';
import { leastDays } from './cloud.ts';
import type { Step } from './examination.ts';

const day = hours(24);

/**
 * The certificate that ends first comes first, with days as in `platen fleet status`. A kind without a certificate has
 * no line.
 */
export function examineOwnCertificates(config: Config): readonly Step[] {
  const ends = certificateEnds(config).toSorted((one, other) => one.end - other.end);
  const own = ends.filter(({ key }) => key === 'operations.tls.certificateFile');
  return [
    ...stepFor('own certificates', own),
    // If an authority is also the service's own certificate, the lines of the service already show it.
    ...stepFor(
      'certificate authorities',
      ends.filter((one) => !own.includes(one)),
      ['TLS', 'certificate'],
    ),
  ];
}

function stepFor(
  what: string,
  ends: readonly CertificateEnd[],
  needs: readonly string[] = [],
): readonly Step[] {
  if (ends.length === 0) return [];
  return [
    {
      what,
      kind: 'certificate',
      needs,
      async examine() {
        const now = systemClock.now();
        const lives = ends.map(({ key, end }) => ({ key, days: Math.floor((end - now) / day) }));
        const words = lives
          .map(({ key, days }) => `the certificate of ${key} is valid for ${days} more days`)
          .join('; ');
        if (lives.some(({ days }) => days < leastDays)) throw new Error(`${words}; renew it`);
        return words;
      },
    },
  ];
}
