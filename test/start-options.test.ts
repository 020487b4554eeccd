/** `tools/platen.js` where a process cannot be begun anew with the options it wants: on Windows `process.execve` throws. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { patience } from './support/patience.ts';

const withExecveThrowing = (code: string) => {
  const stub = `process.execve = () => { throw Object.assign(new Error('no'), { code: '${code}' }); };`;
  const preload = `data:text/javascript,${encodeURIComponent(stub)}`;
  const { status } = spawnSync(process.execPath, ['--import', preload, 'tools/platen.js', '--version'], {
    timeout: Math.ceil(patience()),
  });
  return status;
};

it('goes on as it was begun where the platform has no execve', () => {
  expect(withExecveThrowing('ERR_FEATURE_UNAVAILABLE_ON_PLATFORM')).toBe(0);
});

it('fails where execve fails for another reason', () => {
  expect(withExecveThrowing('E2BIG')).not.toBe(0);
});
