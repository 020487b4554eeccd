/** `npm run bench`: every table, with the machine it was taken on. A goal that is missed is told, not thrown. */
import { execFileSync } from 'node:child_process';
import { print } from './figures.ts';
import { measureFirstByte } from './first-byte.ts';
import { measureLedger } from './ledger.ts';
import { describeMachine } from './machine.ts';
import { measureMemory } from './memory.ts';
import { measureSpool } from './spool.ts';
import { measureStart } from './start.ts';

execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
console.log(describeMachine());
const measurements = [measureStart, measureFirstByte, measureMemory, measureLedger, measureSpool];
for (const measure of measurements) print(await measure());
