/** I5: no secret in the log, on a screen or at rest; no title in a record of level info or above. */
import type { Readings, Violation } from './readings.ts';

export function secretsTold({ chronicle }: Readings): Violation[] {
  const tokens = chronicle.calls
    .map(({ path, answerBody = '' }) =>
      path.endsWith('/token') || path.endsWith('/login') ? answerBody : '',
    )
    .flatMap((body) => [
      ...body.matchAll(/"(?:access_token|refresh_token|device_code|token)":\s*"([^"]{8,})"/g),
    ])
    .map(([, text = '']) => ({ what: 'a token', text }));
  const secrets = [...chronicle.secrets, ...new Map(tokens.map((one) => [one.text, one])).values()];
  const written = chronicle.log.map(({ line }) => line).join('');
  const shown = chronicle.frames.map(({ frame }) => JSON.stringify(frame)).join('\n');
  const titles = chronicle.documents.filter(({ name }) => written.includes(name));
  return [
    ...secrets.filter(({ text }) => written.includes(text)).map(({ what }) => `the log tells ${what}`),
    ...secrets.filter(({ text }) => shown.includes(text)).map(({ what }) => `a screen shows ${what}`),
    ...chronicle.foundAtRest.map(({ file, what }) => `${file} holds ${what}`),
    ...titles.map(({ name }) => `the log tells the title ${name}`),
  ].map((what) => ({ invariant: 'I5', what }));
}
