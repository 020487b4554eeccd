/**
 * What packages bring with them, and nothing here uses: it is not in the bundle, whose text V8 keeps in memory as long as
 * the agent runs. In place of each stands the least that its package asks of it.
 */
import type { Plugin } from 'vite';

const left: readonly { readonly id: RegExp; readonly by?: RegExp; readonly instead: string }[] = [
  // No route has a schema: zod reads what comes in, and answers are written by JSON.stringify. 500 KB.
  { id: /^@fastify\/(ajv|fast-json-stringify)-compiler$/, instead: 'module.exports = () => () => unused();' },
  // For fastify's tests. 60 KB.
  { id: /^light-my-request$/, instead: 'module.exports = () => unused();' },
  // For fastify's plugins that say which fastify they are made for. 70 KB.
  { id: /^semver$/, by: /\/fastify\//, instead: 'module.exports = {};' },
  // undici's second parser, twice, which is asked for by an option. 190 KB.
  { id: /\/parser-h1\.js$/, by: /\/undici\//, instead: 'module.exports = { getMiloEnabled: () => false };' },
  // HTTP/2, which neither may speak, and with it Node's own. 40 KB.
  { id: /\/client-h2\.js$/, by: /\/undici\//, instead: 'module.exports = () => unused();' },
  { id: /^node:http2$/, by: /\/fastify\//, instead: 'module.exports = {};' },
  // For a log that is written by another thread, and for its example values that name a trace. 100 KB.
  { id: /^\.\/transport$/, by: /\/pino\//, instead: 'module.exports = () => unused();' },
  { id: /^@opentelemetry\/api$/, by: /\/prom-client\//, instead: 'module.exports = {};' },
];

const unused = "const unused = () => { throw new Error('this is left out of the bundle'); };\n";
const prefix = '\0left-out:';

export const leftOut: Plugin = {
  name: 'left-out',
  enforce: 'pre',
  resolveId(id, importer = '') {
    const place = left.findIndex(({ id: asked, by }) => asked.test(id) && (by?.test(importer) ?? true));
    return place === -1 ? undefined : `${prefix}${place}.cjs`;
  },
  load(id) {
    if (!id.startsWith(prefix)) return undefined;
    return `${unused}${left[Number.parseInt(id.slice(prefix.length), 10)]?.instead}`;
  },
};
