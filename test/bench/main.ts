/**
 * `npm run bench`: every table, with the machine it was taken on. A goal that is missed is told, not thrown.
 * `npm run bench -- Reader`: those alone in whose function's name that stands; with `--markdown` as tables for the
 * documentation. `FIGURES.md` keeps what was measured, and with `--json FILE` that file besides. `--compare FILE` sets
 * it beside such a file of this machine, and ends with 1 where a figure has become worse by more than the noise.
 */
import { execFileSync } from 'node:child_process';
import { table } from '../../src/commands/terminal-text/table.ts';
import { measureBadgeToLogin } from './badge-to-login.ts';
import { measureBatchBesidePeers } from './batch-beside-peers.ts';
import { measureClaimPrice } from './claim-price.ts';
import { measureCodec } from './codec.ts';
import { otherMachine, pairUp } from './comparison.ts';
import { tellComparison } from './comparison-in-words.ts';
import { print, printMarkdown } from './figures.ts';
import type { Figures, Table } from './figures-file.ts';
import { tableOf, writeFigures } from './figures-file.ts';
import { keepFigures } from './figures-page.ts';
import { measureEngineLoad } from './engine-load.ts';
import { measureFirstByte } from './first-byte.ts';
import { measureGatewayCrowd } from './gateway-crowd.ts';
import { measureHabits } from './habits.ts';
import { measureHeldMemory } from './held-memory.ts';
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
import { measureLedgerGrowth } from './ledger-growth.ts';
import { measureListGrowth, measureLongList } from './long-list.ts';
import { thisMachine } from './machine.ts';
import { measureManyDocuments } from './many-documents.ts';
import { measureManyPrinters } from './many-printers.ts';
import { measureMemory } from './memory.ts';
import { measureNextPrompt } from './next-prompt.ts';
import { measureOperationsPage } from './operations-page.ts';
import type { Order } from './order.ts';
import { readOrder } from './order.ts';
import { measureOutboxGrowth } from './outbox-growth.ts';
import { measurePackages } from './packages.ts';
import { measurePreview } from './preview.ts';
import { measureReaderCrowd } from './reader-crowd.ts';
import { measureReaderReplug } from './reader-replug.ts';
import { measureBatchGrowth, measureSizeGrowth } from './release-growth.ts';
import { measureReleaseMachine } from './release-machine.ts';
import { measureSessionRaces } from './session-races.ts';
import { measureSlowCard } from './slow-card.ts';
import { measureSmallMachine } from './small-machine.ts';
import { measureSoak } from './soak.ts';
import { measureSimulatedCloud } from './simulated-cloud.ts';
import { measureSpool } from './spool.ts';
import { measureStart } from './start.ts';
import { measureStick } from './stick.ts';
import { measureStorm } from './storm.ts';
import { measureTakeover } from './takeover.ts';
import { measureTelling } from './telling.ts';

const measurements = [
  measureStart,
  measurePackages,
  measureFirstByte,
  measureManyDocuments,
  measureManyPrinters,
  measureBatchBesidePeers,
  measureHabits,
  measureLargeDocument,
  measurePreview,
  measureStick,
  measureLoginAndList,
  measureLongList,
  measureCodec,
  measureMemory,
  measureHeldMemory,
  measureTelling,
  measureBadgeToLogin,
  measureReaderReplug,
  measureReaderCrowd,
  measureGatewayCrowd,
  measureStorm,
  measureTakeover,
  measureClaimPrice,
  measureEngineLoad,
  measureNextPrompt,
  measureLoginFailures,
  measureReleaseMachine,
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
  measureBatchGrowth,
  measureSizeGrowth,
  measureListGrowth,
  measureLedgerGrowth,
  measureOutboxGrowth,
  measureSlowCard,
  measureSmallMachine,
  measureSoak,
];

const order = orderOf(process.argv.slice(2));
const machine = thisMachine();
refuseOtherMachine(order.compare, machine);
execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
console.log(table(Object.entries(machine)));
const tables: Table[] = [];
for (const measure of measurements.filter(({ name }) => name.includes(order.only))) {
  const measurement = await measure();
  (order.markdown ? printMarkdown : print)(measurement);
  keepFigures(measurement, Object.values(machine).join('; '));
  tables.push(tableOf(measurement));
}
if (order.json !== undefined) writeFigures(order.json, { machine, tables });
if (order.compare) process.exitCode = tellComparison(pairUp(order.compare.tables, tables));

function orderOf(args: readonly string[]): Order {
  try {
    return readOrder(
      args,
      measurements.map(({ name }) => name),
    );
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function refuseOtherMachine(before: Figures | undefined, here: Figures['machine']): void {
  const why = before && otherMachine(before.machine, here);
  if (why !== undefined) refuse(why);
}

function refuse(why: string): never {
  console.error(`bench: ${why}`);
  process.exit(2);
}
