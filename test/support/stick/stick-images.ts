/** Images of USB sticks for a test, which are gone with it. */
import { rmSync, writeFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { Files } from './stick-maker.ts';
import { makeEmpty, makeExfat, makeExt, makeFat, makeNtfs, openFolder } from './stick-maker.ts';

export function stickFolder(): string {
  const folder = openFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const fatStick = (files: Files, mebibytes?: number): string =>
  makeFat(stickFolder(), files, mebibytes);
export const ntfsStick = (files: Files): string => makeNtfs(stickFolder(), files);
export const exfatStick = (files: Files): string => makeExfat(stickFolder(), files);
export const extStick = (files: Files): string => makeExt(stickFolder(), files);

export function brokenStick(): string {
  const image = makeEmpty(stickFolder(), 1);
  writeFileSync(image, Buffer.alloc(1024 ** 2, 0x5a));
  return image;
}
