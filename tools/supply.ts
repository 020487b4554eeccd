/**
 * `npm run check:supply`: what Platen ships of others. It fails on a vulnerability that the registry knows of, and on
 * more packages than the number below (INVARIANTS.md T30).
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { billOfMaterials } from './package-bill.ts';
import { openShipped } from './package-modules.ts';

/** Who adds a package raises it here, and gives it a line in the README's table. */
const mostPackages = 97;

const audit = z.union([
  z.object({
    vulnerabilities: z.record(
      z.string(),
      z.object({
        severity: z.string(),
        via: z.array(z.union([z.string(), z.object({ title: z.string(), url: z.string() })])),
      }),
    ),
  }),
  z.object({ message: z.string() }),
  z
    .object({ error: z.object({ summary: z.string() }) })
    .transform(({ error }) => ({ message: error.summary })),
]);

/** Names with versions, Node among them. */
export function shippedPackages(): readonly string[] {
  const { components } = JSON.parse(billOfMaterials({ architecture: 'amd64', epoch: 0 })) as {
    components: readonly { name: string; version: string }[];
  };
  return components.map(({ name, version }) => `${name}@${version}`);
}

/** A sentence for each; rejects where the registry tells no advisories: some mirrors do not. */
export async function knownVulnerabilities(options: readonly string[] = []): Promise<readonly string[]> {
  using shipped = openShipped('amd64');
  const found = audit.parse(JSON.parse(await askRegistry(shipped.folder, options)));
  if (!('vulnerabilities' in found)) throw new Error(found.message);
  return Object.entries(found.vulnerabilities).flatMap(([name, { severity, via }]) =>
    via.map((why) =>
      typeof why === 'string'
        ? `${name}: ${severity}, by ${why}`
        : `${name}: ${severity}: ${why.title} (${why.url})`,
    ),
  );
}

/** `npm audit` exits with 1 when it has found something, and when it could not ask; it writes JSON in both cases. */
async function askRegistry(cwd: string, options: readonly string[]): Promise<string> {
  const asked = promisify(execFile)('npm', ['audit', '--package-lock-only', '--json', ...options], { cwd });
  const { stdout } = await asked.catch((error: unknown) => error as { stdout: string });
  return stdout;
}

async function findings(): Promise<readonly string[]> {
  const shipped = shippedPackages();
  process.stdout.write(`supply: ${shipped.length} packages are shipped, ${mostPackages} are allowed\n`);
  const tooMany =
    shipped.length > mostPackages ? [`more packages than tools/supply.ts allows: ${shipped.join(' ')}`] : [];
  try {
    return [...tooMany, ...(await knownVulnerabilities())];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(
      `supply: vulnerabilities NOT looked for, the registry tells none (${why.split('\n')[0]})\n`,
    );
    return tooMany;
  }
}

if (import.meta.main) {
  const found = await findings();
  for (const sentence of found) process.stderr.write(`supply: ${sentence}\n`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
