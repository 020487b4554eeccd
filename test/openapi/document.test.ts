/** The OpenAPI document as such, and that it describes the very calls that the embedded cloud answers. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Route } from '../../src/simulator/cloud/route.ts';
import { apiRoutes, oauthRoutes } from '../../src/simulator/cloud/routes.ts';
import { bearersOf, operations, validatorOf } from '../support/cloud/description.ts';
import { documentFile, readDocument } from '../support/cloud/document.ts';
import { specifiedCalls } from '../support/cloud/specification.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const document = readDocument();
const named = operations.map((one) => ({ name: `${one.method} ${one.path}`, operation: one }));

describe('the document', () => {
  it('is OpenAPI 3.1 that passes its lint', async () => {
    expect(document.openapi).toBe('3.1.0');
    const redocly = `${root}node_modules/@redocly/cli/bin/cli.js`;
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const lint = promisify(execFile)(
      process.execPath,
      [redocly, 'lint', `--config=${root}tools/redocly.yaml`, '--format=json', documentFile],
      { env },
    );
    const { stdout } = await lint;
    expect(JSON.parse(stdout)).toMatchObject({
      totals: { errors: 0, warnings: 0, ignored: 0 },
      problems: [],
    });
  });

  it.each(Object.entries(document.components.schemas))('has a schema %s that compiles', (_, schema) => {
    expect(validatorOf(schema)).toBeTypeOf('function');
  });

  it('names every operation once', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(named)('says of $name what it is, who may call it, and how it ends', ({ operation }) => {
    const { operationId, summary, tags, security, responses } = operation;
    expect(operationId).toMatch(/^[a-z][A-Za-z]+$/);
    expect(summary).not.toBe('');
    expect(tags).toHaveLength(1);
    expect(document.tags.map(({ name }) => name)).toContain(tags[0]);
    expect(security.length).toBeGreaterThan(0);
    const statuses = Object.keys(responses);
    expect(statuses.some((status) => /^[23]/.test(status))).toBe(true);
    expect(statuses.some((status) => status.startsWith('4'))).toBe(true);
    for (const { content = {} } of [operation.requestBody ?? {}, ...Object.values(responses)]) {
      const undescribed = Object.entries(content).filter(([, { schema }]) => schema === undefined);
      // A document's bytes are anything.
      expect(undescribed.every(([type]) => type === 'application/octet-stream')).toBe(true);
    }
  });
});

describe('the embedded cloud', () => {
  const anyName = (path: string): string => path.replaceAll(/\{\w+\}|<\w+>/g, '{}');
  const bearersFor = ({ takes }: Route): readonly string[] => {
    if (takes === 'oauth') return ['none'];
    if (takes === 'keyless') return ['none', 'device', 'user'];
    if (takes === 'reading') return ['user'];
    return takes === 'terminal-reading' ? ['device', 'user'] : takes;
  };

  it('answers the described calls and no others, for the described tokens', () => {
    const answered = [...apiRoutes, ...oauthRoutes].map(
      (route) => [`${route.method} ${anyName(route.path)}`, [...bearersFor(route)].sort()] as const,
    );
    const described = operations.map(
      (one) => [`${one.method} ${anyName(one.path)}`, [...bearersOf(one)].sort()] as const,
    );
    expect(Object.fromEntries(answered)).toEqual(Object.fromEntries(described));
  });

  it('answers what the specification names, and besides it the report of a terminal and the OAuth side', () => {
    const answered = apiRoutes.map(
      (route) => `${route.method} ${anyName(route.path.replace('/api/v1', ''))}`,
    );
    expect(
      [...new Set(specifiedCalls.map(({ call }) => call)), 'PUT /outputports/{}/terminalinfo'].toSorted(),
    ).toEqual(answered.toSorted());
  });
});
