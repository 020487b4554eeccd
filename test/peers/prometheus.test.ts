/** The figures and the alert rules before Prometheus' own examiner. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { sampleMetrics } from '../support/sample-metrics.ts';
import { needsPeer } from '../support/needs.ts';

const promtool = (args: readonly string[], input?: string): string =>
  execFileSync('promtool', args, { cwd: 'config/prometheus', encoding: 'utf8', ...(input ? { input } : {}) });

needsPeer('promtool', 'prometheus')('promtool', () => {
  it('takes the scrape example with its rules, each of which fires when it should and only then', () => {
    // The files of token and authority are the monitoring's own.
    expect(promtool(['check', 'config', '--syntax-only', 'prometheus.yml'])).toContain('SUCCESS');
    expect(promtool(['check', 'rules', 'platen.rules.yml'])).toContain('SUCCESS');
    expect(promtool(['test', 'rules', 'platen.rules.test.yml'])).toContain('SUCCESS');
  });

  it('finds nothing to say against the names and labels of the metrics', async () => {
    const text = await sampleMetrics().text();
    // The runtime's own have names that promtool objects to.
    const ours = text.split('\n').filter((line) => /^(?:# \w+ )?platen_/.test(line));
    expect(promtool(['check', 'metrics'], `${ours.join('\n')}\n`)).toBe('');
  });
});
