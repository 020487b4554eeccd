/** The configuration file of a stage in the hands of its administrator, and what the agent says of it. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { parse, stringify } from 'yaml';
import type { Running, Stage } from './stage.ts';

/** As much of the file as tests change. */
export interface WrittenConfig {
  terminals: Record<string, unknown>[];
  [section: string]: unknown;
}

/** As an editor and configuration management do it: a new file takes the place of the old one. */
export async function writeConfig({ configFile }: Pick<Stage, 'configFile'>, text: string): Promise<void> {
  await writeFile(`${configFile}.new`, text, { mode: 0o600 });
  await rename(`${configFile}.new`, configFile);
}

export async function editConfig(
  stage: Pick<Stage, 'configFile'>,
  edit: (config: WrittenConfig) => void,
): Promise<void> {
  const config = parse(await readFile(stage.configFile, 'utf8')) as WrittenConfig;
  edit(config);
  await writeConfig(stage, stringify(config));
}

export interface ReloadStatus {
  readonly config: {
    readonly readAt: string;
    readonly file: string | null;
    readonly pending: readonly string[];
  };
  readonly conditions: readonly {
    readonly code: string;
    readonly severity: string;
    readonly detail: string;
  }[];
  readonly terminals: readonly { readonly id: string; readonly printer: { readonly uri: string } }[];
}

export const statusOf = async ({ operations }: Running): Promise<ReloadStatus> =>
  (await (await fetch(`${operations}/status`)).json()) as ReloadStatus;
