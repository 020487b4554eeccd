/** The Grafana dashboards and the alert rules of `config/` ask for what the agent really tells, by its name and labels. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { sampleMetrics } from '../support/sample-metrics.ts';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const read = (path: string) => readFileSync(new URL(`../../config/${path}`, import.meta.url), 'utf8');
interface Dashboard {
  readonly uid: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { name: string; type: string; definition?: string }[] };
}
const dashboardIn = (file: string) => JSON.parse(read(`grafana/${file}`)) as Dashboard;
const dashboard = dashboardIn('platen.json');
const fleet = dashboardIn('platen-fleet.json');
const { groups } = parse(read('prometheus/platen.rules.yml')) as {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly labels: { readonly severity: string };
      readonly annotations: { readonly summary: string; readonly description: string };
    }[];
  }[];
};
const rules = groups.flatMap((group) => group.rules);

/** Those that Prometheus adds: two of its own, and two by what `/targets` says (src/operations/pages.ts). */
const added = ['job', 'instance', 'site', 'gateway'];

/** What `/metrics` tells: each name with its labels, and those that Prometheus adds. */
async function toldMetrics(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const reported = new Map([['up', new Set(added)]]);
  for (const line of (await sampleMetrics().text()).split('\n')) {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
    if (line.startsWith('#') || name === '') continue;
    const known = reported.get(name) ?? new Set(added);
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
    reported.set(name, known);
  }
  return reported;
}

/** Words of PromQL that stand where a name of a metric may (https://prometheus.io/docs/prometheus/latest/querying/). */
const words = new Set(
  'sum count max topk by or time vector rate increase changes histogram_quantile max_over_time min_over_time'.split(
    ' ',
  ),
);

/** What an expression asks for that nobody tells. */
function unknownIn(expression: string, reported: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const bare = expression.replace(/"[^"]*"/g, '""').replace(/\[[^\]]*\]/g, '');
  const asked: string[] = [];
  const labels = new Set<string>();
  const names = bare
    .replace(/\{([^}]*)\}/g, (_, matchers: string) => {
      for (const [label] of matchers.matchAll(/\w+(?=\s*[=!])/g)) labels.add(label);
      return '';
    })
    .replace(/\bby\s*\(([^)]*)\)/g, (_, grouped: string) => {
      for (const [label] of grouped.matchAll(/\w+/g)) labels.add(label);
      return '';
    })
    // Of the dashboard's variables: `label_values(metric, label)`.
    .replace(/^label_values\((.*), (\w+)\)$/, (_, metric: string, label: string) => {
      labels.add(label);
      return metric;
    });
  const metrics = [...names.matchAll(/[a-z_]\w*/g)].map(([name]) => name).filter((name) => !words.has(name));
  asked.push(...metrics.filter((name) => !reported.has(name)));
  for (const label of labels) {
    if (!metrics.some((name) => reported.get(name)?.has(label))) asked.push(`${metrics.join()} by ${label}`);
  }
  if (metrics.length === 0) asked.push('nothing');
  return asked;
}

const expressions: readonly (readonly [where: string, expression: string])[] = [
  ...[dashboard, fleet].flatMap(({ uid, panels, templating }) => [
    ...panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => [`the panel "${title}" of ${uid}`, expr] as const),
    ),
    ...templating.list.flatMap(({ name, definition }) =>
      definition === undefined ? [] : [[`the variable ${name} of ${uid}`, definition] as const],
    ),
  ]),
  ...rules.map(({ alert, expr }) => [`the alert ${alert}`, expr] as const),
];

describe('what is asked for is told', () => {
  it.each(expressions)('%s', async (_where, expression) => {
    expect(unknownIn(expression, await toldMetrics())).toEqual([]);
  });

  it('and what nobody tells is found out', async () => {
    const reported = await toldMetrics();
    expect(unknownIn('sum by (colour) (platen_cloud_up)', reported)).toEqual(['platen_cloud_up by colour']);
    expect(unknownIn('rate(platen_nothing_total{instance="a"}[5m])', reported)).toContain(
      'platen_nothing_total',
    );
  });
});

describe('the dashboard', () => {
  it('has a row for the fleet, a gateway and a terminal, each panel once, on a data source that is chosen', () => {
    const titles = dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    expect(titles).toEqual(['Fleet', 'Gateway $instance', 'Terminal $terminal']);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    expect(dashboard.templating.list.map(({ name, type }) => [name, type])).toEqual([
      ['datasource', 'datasource'],
      ['instance', 'query'],
      ['terminal', 'query'],
    ]);
    const sources = [...read('grafana/platen.json').matchAll(/"uid": "([^"]*)"/g)].map(([, uid]) => uid);
    expect(new Set(sources)).toEqual(new Set(['$'.concat('{datasource}'), '-- Grafana --', 'platen']));
  });
});

describe('the dashboard of a fleet', () => {
  it('goes from the fleet by the site to the gateway, each panel once, on a data source that is chosen', () => {
    const titles = fleet.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    expect(titles).toEqual(['Fleet', 'Sites', 'Which gateway']);
    expect(new Set(fleet.panels.map(({ id }) => id)).size).toBe(fleet.panels.length);
    expect(fleet.templating.list.map(({ name }) => name)).toEqual(['datasource', 'site']);
    const sources = [...read('grafana/platen-fleet.json').matchAll(/"uid": "([^"]*)"/g)].map(
      ([, uid]) => uid,
    );
    expect(new Set(sources)).toEqual(new Set(['$'.concat('{datasource}'), '-- Grafana --', 'platen-fleet']));
  });

  it('asks in every panel for the sites that are chosen', () => {
    const asked = fleet.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(asked.filter((expr) => !expr.includes('site=~"$site"'))).toEqual([]);
  });
});

describe('every alert', () => {
  it.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s says how bad it is and what to do',
    (_, rule) => {
      expect(rule.labels.severity).toMatch(/^(?:warning|critical)$/);
      expect(rule.annotations.summary).not.toBe('');
      expect(rule.annotations.description.length).toBeGreaterThan(40);
    },
  );
});

it('the example for Prometheus names the type of each authorization, without which 2.42 leaves out Bearer in http_sd_configs', () => {
  const lines = read('prometheus/prometheus.yml').split('\n');
  const authorizations = lines.filter((line) => line.includes('authorization:'));
  expect(authorizations).toHaveLength(2);
  for (const line of authorizations) expect(line).toContain('{ type: Bearer, credentials_file: ');
});

it('is described in the guide, each metric by its name', async () => {
  const guide = readFileSync(new URL('../../systemd/monitor.md', import.meta.url), 'utf8');
  const described = new Set(
    [...guide.matchAll(/`(platen_\w+?)(?:\{[\w,]+\})?`/g)].map(([, name = '']) => name),
  );
  const told = [...(await sampleMetrics().text()).matchAll(/^# TYPE (platen_\w+) /gm)].map(
    ([, name = '']) => name,
  );
  expect([...described].toSorted()).toEqual(told.toSorted());
});
