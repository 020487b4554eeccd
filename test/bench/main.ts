/**
 * `npm run bench`: every table, with the machine it was taken on. A goal that is missed is told, not thrown.
 * `npm run bench -- Reader`: those alone in whose function's name that stands; with `--markdown` after it as tables for
 * the documentation. `FIGURES.md` keeps what was measured.
 */
import { execFileSync } from 'node:child_process';
import { table } from '../../src/commands/terminal-text/table.ts';
import { measureBadgeToLogin } from './badge-to-login.ts';
import { measureClaimPrice } from './claim-price.ts';
import { measureCodec } from './codec.ts';
import { print, printMarkdown } from './figures.ts';
import { keepFigures } from './figures-page.ts';
import { measureFirstByte } from './first-byte.ts';
import { measureGatewayCrowd } from './gateway-crowd.ts';
import { measureHabits } from './habits.ts';
import { measureIdleRequests } from './idle-requests.ts';
import { measureKioskMemory } from './kiosk-memory.ts';
import { measureKioskScroll } from './kiosk-scroll.ts';
import { measureKioskServer } from './kiosk-server.ts';
import { measureKioskSession } from './kiosk-session.ts';
import { measureKioskWeight } from './kiosk-weight.ts';
import { measureLargeDocument } from './large-document.ts';
import { measureLedger } from './ledger.ts';
import { measureLoginFailures } from './login-failures.ts';
import { measureLoginAndList } from './login-and-list.ts';
import { measureLongList } from './long-list.ts';
import { thisMachine } from './machine.ts';
import { measureManyDocuments } from './many-documents.ts';
import { measureMemory } from './memory.ts';
import { measureNextPrompt } from './next-prompt.ts';
import { measureOperationsPage } from './operations-page.ts';
import { measurePackages } from './packages.ts';
import { measureReaderCrowd } from './reader-crowd.ts';
import { measureReaderReplug } from './reader-replug.ts';
import { measureSessionRaces } from './session-races.ts';
import { measureSoak } from './soak.ts';
import { measureSimulatedCloud } from './simulated-cloud.ts';
import { measureSpool } from './spool.ts';
import { measureStart } from './start.ts';
import { measureStorm } from './storm.ts';
import { measureTakeover } from './takeover.ts';
import { measureTelling } from './telling.ts';

execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
const machine = thisMachine();
console.log(table(Object.entries(machine)));
const only = process.argv[2] ?? '';
const measurements = [
  measureStart,
  measurePackages,
  measureFirstByte,
  measureManyDocuments,
  measureHabits,
  measureLargeDocument,
  measureLoginAndList,
  measureLongList,
  measureCodec,
  measureMemory,
  measureTelling,
  measureBadgeToLogin,
  measureReaderReplug,
  measureReaderCrowd,
  measureGatewayCrowd,
  measureStorm,
  measureTakeover,
  measureClaimPrice,
  measureNextPrompt,
  measureLoginFailures,
  measureSessionRaces,
  measureLedger,
  measureSpool,
  measureIdleRequests,
  measureKioskSession,
  measureKioskServer,
  measureKioskScroll,
  measureKioskWeight,
  measureKioskMemory,
  measureOperationsPage,
  measureSimulatedCloud,
  measureSoak,
];
const show = process.argv[3] === '--markdown' ? printMarkdown : print;
for (const measure of measurements.filter(({ name }) => name.includes(only))) {
  const measurement = await measure();
  show(measurement);
  keepFigures(measurement, Object.values(machine).join('; '));
}
