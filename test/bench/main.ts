/** `npm run bench`: every table, with the machine it was taken on. A goal that is missed is told, not thrown. */
import { execFileSync } from 'node:child_process';
import { print } from './figures.ts';
import { measureFirstByte } from './first-byte.ts';
import { describeMachine } from './machine.ts';
import { measureMemory } from './memory.ts';
import { measureStart } from './start.ts';

execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
console.log(describeMachine());
for (const measure of [measureStart, measureFirstByte, measureMemory]) print(await measure());
