/**
 * The container image of the Containerfile: read, and built by podman on a Debian as the tests have one, with what it asks of
 * Debian's mirror; run as the file says.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chown, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { attribute } from '../../../src/ipp/message.ts';
import { mimeMediaType } from '../../../src/ipp/values.ts';
import { startWaitingReader } from '../../../src/simulator/reader/network-reader.ts';
import { bobCard, setStage } from '../../support/agent/stage.ts';
import { needsPeer } from '../../support/needs.ts';
import { startProgram } from '../../support/program.ts';
import { needsTree, openTree } from '../debian-tree.ts';
import { pagesOfRaster } from '../raster-header.ts';
import { makePackage, ownArchitecture } from './made-package.ts';

const run = promisify(execFile);
const containerfile = 'systemd/container/Containerfile';

interface Instruction {
  /** `RUN` */
  readonly name: string;
  readonly rest: string;
}

/** What of Dockerfile(5) ours needs, no more. Throws for a line that is no instruction. */
const instructions: readonly Instruction[] = readFileSync(containerfile, 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const [, name, rest] =
      /^(ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|FROM|HEALTHCHECK|RUN|STOPSIGNAL|USER|VOLUME) (\S.*)$/.exec(line) ??
      [];
    if (name === undefined || rest === undefined) throw new Error(`no instruction: ${line}`);
    return { name, rest };
  });

const all = (name: string): string[] =>
  instructions.filter((instruction) => instruction.name === name).map(({ rest }) => rest);

describe('the Containerfile', () => {
  it('T26: is made of Debian and the package beside it, runs as no root, fetches nothing by URL and holds no secret', () => {
    expect(all('FROM')).toEqual(['${BASE} AS unpacked', '${BASE}']);
    expect(all('COPY')).toEqual([
      'platen_${VERSION}_${TARGETARCH}.deb /platen.deb',
      '--from=unpacked /unpacked/ /',
    ]);
    expect([all('USER'), all('VOLUME'), all('ADD'), all('ENV')]).toEqual([
      ['7381:7381'],
      ['/var/lib/platen'],
      [],
      ['PLATEN_CONVERSION_ROOM=limits', 'STATE_DIRECTORY=/var/lib/platen'],
    ]);
    expect(all('ARG')).toEqual(['BASE=debian:bookworm-slim', 'VERSION', 'TARGETARCH']);
  });
});

needsTree('in a Debian tree', () => {
  needsPeer('podman', 'podman')('by podman', () => {
    needsPeer('runc', 'runc')('the container image', () => {
      let folder = '';
      // No systemd is asked for anything, and no limit is wanted that a machine may not give.
      const podman = (): readonly string[] => [
        ...['podman', '--root', join(folder, 'root'), '--runroot', join(folder, 'run')],
        ...['--runtime', 'runc', '--cgroup-manager', 'cgroupfs', '--events-backend', 'none'],
      ];
      const ask = async (...words: readonly string[]): Promise<string> => {
        const [program = '', ...args] = [...podman(), ...words];
        return (await run(program, args)).stdout;
      };
      const asTheFileSays = [
        ...['--network=host', '--ulimit=nofile=4096:4096', '--ulimit=nproc=4096:4096'],
        ...['--read-only', '--tmpfs=/tmp', '--cap-drop=all', '--security-opt=no-new-privileges'],
        ...['-v', 'platen:/var/lib/platen'],
      ];

      beforeAll(async () => {
        folder = await mkdtemp(join(tmpdir(), 'platen-container-'));
        const file = await makePackage(folder, ownArchitecture);
        const context = join(folder, 'context');
        await mkdir(context);
        await cp(containerfile, join(context, 'Containerfile'));
        await cp(file, join(context, basename(file)));
        await using tree = await openTree();
        await run('tar', ['-C', tree.root, '-cf', join(folder, 'base.tar'), '.']);
        await ask('import', '-q', join(folder, 'base.tar'), 'debian:bookworm-slim');
        const how = ['--isolation=chroot', '--pull=never', '--format=docker', '--layers=false'];
        await ask('build', ...how, '--build-arg=VERSION=1.0.0', '-t', 'platen', context);
      });
      afterAll(async () => {
        await ask('rm', '--all', '--force');
        await rm(folder, { recursive: true });
      });

      it('ends with 78 where no configuration is given, and is not healthy where no agent runs', async () => {
        const without = ask('run', '--rm', ...asTheFileSays, 'platen');
        await expect(without).rejects.toMatchObject({ code: 78 });
        const [, check = '[]'] = / CMD (\[.*\])$/.exec(all('HEALTHCHECK')[0] ?? '') ?? [];
        const [program = '', ...args] = JSON.parse(check) as string[];
        const alone = ask('run', '--rm', ...asTheFileSays, `--entrypoint=${program}`, 'platen', ...args);
        await expect(alone).rejects.toMatchObject({ code: 1 });
      });

      it('read-only and without a capability, converts a document, lets it out by a badge, is healthy, and ends in order (I1, I2)', async () => {
        const attributes = [attribute('document-format-supported', mimeMediaType('image/pwg-raster'))];
        await using reader = await startWaitingReader();
        await using stage = await setStage({
          printer: { attributes, counters: 'absent' },
          terminal: {
            session: { autoRelease: true },
            readers: [{ type: 'tcp-connect', address: `127.0.0.1:${reader.port}` }],
          },
        });
        // Without `stateDir` its state is in the volume.
        const { stateDir: _, ...config } = parse(await readFile(stage.configFile, 'utf8')) as Record<
          string,
          object | string
        >;
        await writeFile(stage.configFile, stringify(config));
        for (const path of [stage.folder, stage.configFile]) await chown(path, 7381, 7381);
        await using agent = startProgram(
          ['run', '--name=gateway', ...asTheFileSays, '-v', `${stage.folder}:/etc/platen:ro`, 'platen'],
          { program: podman() },
        );
        await agent.logged('terminal ready');
        await agent.logged('reader up');
        await ask('healthcheck', 'run', 'gateway');
        expect(await ask('inspect', '--format={{.State.Health.Status}}', 'gateway')).toBe('healthy\n');
        await reader.tap(bobCard);
        expect(await agent.logged('release ended')).toMatchObject({ outcome: 'completed' });
        await agent.logged('history accepted');
        const [output, ...others] = stage.printer.outputs;
        expect(pagesOfRaster(await readFile(output?.file ?? ''))).not.toEqual([]);
        expect(others).toEqual([]);
        expect(stage.cloud.deviations).toEqual([]);
        await ask('stop', '--time=20', 'gateway');
        expect(await agent.exited).toEqual({ code: 0, signal: null });
      });
    });
  });
});
