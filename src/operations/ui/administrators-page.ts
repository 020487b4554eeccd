/**
 * The administrators' page: static files, the same at every gateway of a version. They hold no data, so they need no
 * token. A browser could not send one (`Authorization: Bearer` is not one of its ways to log in).
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { PageFile } from '../../listener/page-files.ts';
import { htmlFile, readPageFiles } from '../../listener/page-files.ts';

const root = '/ui/';

export const isOfPage = ({ url = '', method }: Pick<IncomingMessage, 'url' | 'method'>): boolean =>
  method === 'GET' && (url === '/ui' || url.startsWith(root));

/** By path. Rejects if the page has not been built. */
export async function readAdministratorsPage(): Promise<ReadonlyMap<string, PageFile>> {
  const files = [...(await readPageFiles('ui'))].map(([name, file]) => [root + name, file] as const);
  return new Map([[root, htmlFile(htmlOf(files.map(([path]) => path)))], ...files]);
}

/** The names of script and style change with their content. */
const htmlOf = (paths: readonly string[]): string => `<!doctype html>
<html lang="en" data-contrast="normal">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Platen</title>
${paths
  .map((path) =>
    path.endsWith('.css')
      ? `<link rel="stylesheet" href="${path}">`
      : `<script type="module" src="${path}"></script>`,
  )
  .join('\n')}
</head>
<body>
<noscript><p>This page needs JavaScript.</p></noscript>
</body>
</html>
`;

export async function servePage(app: FastifyInstance): Promise<void> {
  for (const [path, { type, body }] of await readAdministratorsPage()) {
    app.get(path, (_request, reply) => {
      if (path !== root) void reply.header('cache-control', 'private, max-age=31536000, immutable');
      return reply.type(type).send(body);
    });
  }
  app.get('/ui', (_request, reply) => reply.redirect(root, 308));
}
