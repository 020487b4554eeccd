/** `npm run bench`: every table, with the machine it was taken on. A goal that is missed is told, not thrown. */
import { execFileSync } from 'node:child_process';
import { measureCodec } from './codec.ts';
import { print } from './figures.ts';
import { measureFirstByte } from './first-byte.ts';
import { measureIdleRequests } from './idle-requests.ts';
import { measureLargeDocument } from './large-document.ts';
import { measureLedger } from './ledger.ts';
import { measureLoginAndList } from './login-and-list.ts';
import { measureLongList } from './long-list.ts';
import { describeMachine } from './machine.ts';
import { measureManyDocuments } from './many-documents.ts';
import { measureMemory } from './memory.ts';
import { measureReaders } from './readers.ts';
import { measureSpool } from './spool.ts';
import { measureStart } from './start.ts';

execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
console.log(describeMachine());
const measurements = [
  measureStart,
  measureFirstByte,
  measureManyDocuments,
  measureLargeDocument,
  measureLoginAndList,
  measureLongList,
  measureCodec,
  measureMemory,
  measureReaders,
  measureLedger,
  measureSpool,
  measureIdleRequests,
];
for (const measure of measurements) print(await measure());
