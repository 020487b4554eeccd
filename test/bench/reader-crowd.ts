/**
 * What 250 readers take of `platen run` while nobody badges: its memory over that of the same agent without readers,
 * and its share of a processor. Both run at the same time, as processes of their own.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startDiallingReader, startWaitingReader } from '../../src/simulator/reader/network-reader.ts';
import { setStage } from '../support/agent/stage.ts';
import { freePort } from '../support/ports.ts';
import { createSocatPair } from '../peers/socat.ts';
import type { AgentProcess } from '../support/agent/agent-process.ts';
import { startAgentProcess } from '../support/agent/agent-process.ts';
import type { Measurement } from './figures.ts';
import { inMegabytes, megabytes } from './figures.ts';
import { idle, idleRow } from './idle.ts';

const crowd = { serial: 125, 'tcp-listen': 63, 'tcp-connect': 62 };
const count = Object.values(crowd).reduce((sum, one) => sum + one);
/** Milliseconds, before the idle time begins. */
const settling = 5000;
const idleTime = 30_000;

export async function measureReaderCrowd(): Promise<Measurement> {
  await using opened = new AsyncDisposableStack();
  const none = await startAgent(opened, []);
  const many = await startAgent(opened, await openCrowd(opened));
  await sleep(settling);
  const [ofNone, ofMany] = await Promise.all([idle(none.pid, idleTime), idle(many.pid, idleTime)]);
  const over = ofMany.resident - ofNone.resident;
  return {
    title: `${count} readers at one agent, idle`,
    how:
      `${crowd.serial} serial ones (socat), ${crowd['tcp-listen']} that dial in, ${crowd['tcp-connect']} that are ` +
      `dialled, at one terminal of platen run from the bundle; ${idleTime / 1000} s. Beside it the same agent without readers.`,
    rows: [
      ['', 'resident', 'of one core'],
      idleRow('no reader', ofNone),
      idleRow(`${count} readers`, ofMany),
      ['readers alone', inMegabytes(over), `${((ofMany.share - ofNone.share) * 100).toFixed(2)} %`],
    ],
    goals: [
      { what: 'memory over none', figure: megabytes(over), limit: 60, unit: 'MB' },
      { what: 'of one core, all in all', figure: ofMany.share * 100, limit: 3, unit: '%' },
    ],
  };
}

/** Resolves when each of its readers is up. */
async function startAgent(opened: AsyncDisposableStack, readers: readonly object[]): Promise<AgentProcess> {
  const stage = opened.use(await setStage({ terminal: { readers } }));
  const agent = opened.use(startAgentProcess(stage.configFile));
  await agent.told('terminal ready', ...readers.map(() => 'reader up'));
  return agent;
}

/** The readers, plugged in and running; gives their part of a configuration. */
async function openCrowd(opened: AsyncDisposableStack): Promise<object[]> {
  const readers: object[] = [];
  for (let number = 0; number < crowd.serial; number += 1) {
    const pair = opened.use(await createSocatPair());
    await pair.plugIn();
    readers.push({ type: 'serial', path: pair.path });
  }
  const port = await freePort();
  for (let number = 1; number <= crowd['tcp-listen']; number += 1) {
    const from = `127.0.1.${number}`;
    opened.use(startDiallingReader({ host: '127.0.0.1', port, from }));
    readers.push({ type: 'tcp-listen', listen: `127.0.0.1:${port}`, from: [from] });
  }
  for (let number = 0; number < crowd['tcp-connect']; number += 1) {
    const reader = opened.use(await startWaitingReader());
    readers.push({ type: 'tcp-connect', address: `127.0.0.1:${reader.port}` });
  }
  return readers;
}
