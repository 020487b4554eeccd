/**
 * What shows that a package is ours, and of which sources: the sums, a statement of provenance, and a signature of each.
 * The statement is in-toto's (https://in-toto.io/Statement/v1) with SLSA's predicate (https://slsa.dev/provenance/v1).
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface Sources {
  /** Of git. */
  readonly commit: string;
  /** The working tree was not that commit: then nobody can make the same again. */
  readonly isChanged: boolean;
  /** Seconds since 1970. */
  readonly epoch: number;
}

/** Writes both beside the packages, which lie in one folder; resolves to their paths. */
export function writeProofs(folder: string, packages: readonly string[], sources: Sources): string[] {
  const provenance = join(folder, 'provenance.intoto.json');
  const sums = join(folder, 'SHA256SUMS');
  writeFileSync(provenance, `${JSON.stringify(statement(packages, sources), undefined, 1)}\n`);
  const lines = [...packages, provenance].map((file) => `${sha256(file)}  ${basename(file)}\n`);
  writeFileSync(sums, lines.toSorted().join(''));
  return [sums, provenance];
}

function statement(packages: readonly string[], { commit, isChanged, epoch }: Sources): object {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: packages.map((file) => ({ name: basename(file), digest: { sha256: sha256(file) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:platen:npm-run-package:1',
        externalParameters: { command: 'npm run package' },
        internalParameters: { SOURCE_DATE_EPOCH: epoch, architecture: process.arch },
        resolvedDependencies: [
          { name: 'sources', digest: { gitCommit: commit }, annotations: { changed: isChanged } },
          { name: 'package-lock.json', digest: { sha256: sha256('package-lock.json') } },
          { name: 'node', annotations: { version: process.versions.node } },
        ],
      },
      // SLSA asks who built it. This is nobody but whoever holds the key of the signature.
      runDetails: { builder: { id: 'urn:platen:holder-of-the-signing-key' } },
    },
  };
}

/**
 * Signs each file; resolves to the signatures' paths. The key is a file with an OpenSSH private key (FILE.sig, for
 * `ssh-keygen -Y verify -n file`), or else a key as gpg(1) names it (FILE.asc).
 */
export const signAll = (files: readonly string[], key: string): string[] =>
  files.map((file) => (existsSync(key) ? signBySsh(file, key) : signByGpg(file, key)));

function signBySsh(file: string, key: string): string {
  execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-n', 'file', '-f', key, file], {
    stdio: ['inherit', 'ignore', 'inherit'],
  });
  return `${file}.sig`;
}

function signByGpg(file: string, key: string): string {
  execFileSync('gpg', [...gpgAs(key), '--armor', '--detach-sign', '--output', `${file}.asc`, file], {
    stdio: 'inherit',
  });
  return `${file}.asc`;
}

export const gpgAs = (key: string): string[] => ['--batch', '--yes', '--quiet', '--local-user', key];

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
