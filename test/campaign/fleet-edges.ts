/**
 * A fleet at its edges: what befalls its engine, its lines and its configuration while a document is let out. Each has a
 * row in the table below: how it strikes, and how it is taken back.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EdgeHost, EdgeLine } from '../support/fleet/edge-host.ts';
import type { Office } from '../support/fleet/office.ts';
import { beat } from './fleet-beats.ts';
import type { Prepared } from './fleet-faults.ts';
import type { FleetPlay } from './fleet-play.ts';
import { haltedBy, signerOf, takenListener } from './fleet-rollouts.ts';
import type { Place } from './three-gateways.ts';

export const edgeKinds = [
  ...(['disk-full', 'slow-line', 'certificate', 'no-rights', 'one-reaches', 'long-pause'] as const),
  ...(['dump-restore', 'signer-withdrawn', 'listener-taken', 'undo-halted'] as const),
] as const;
export type EdgeKind = (typeof edgeKinds)[number];

export interface EdgeFault {
  readonly kind: EdgeKind;
  /** Milliseconds until it is taken back, where it does not take its own time. */
  readonly span: number;
  /** From 0 to below 1: which of its ways. */
  readonly variant: number;
}

/** Of the document that is let out: it is still in progress when the fault has come. */
export const pagesAt: Readonly<Record<EdgeKind, number>> = {
  'disk-full': 10,
  'slow-line': 10,
  certificate: 10,
  'no-rights': 10,
  'one-reaches': 10,
  'long-pause': 10,
  'dump-restore': 40,
  'signer-withdrawn': 40,
  'listener-taken': 40,
  'undo-halted': 40,
};

/** What a stage has for them. */
export interface Edges {
  readonly host: EdgeHost;
  readonly office: Office;
  /** Of the fleet's database. */
  readonly url: string;
}

export const isEdge = (fault: { readonly kind: string }): fault is EdgeFault =>
  edgeKinds.some((kind) => kind === fault.kind);

export interface Struck extends Edges {
  readonly play: FleetPlay;
  readonly place: Place;
  readonly span: number;
  /** Of the place, and of all. */
  readonly line: EdgeLine;
  readonly lines: readonly EdgeLine[];
  one<Choice>(choices: readonly Choice[]): Choice;
}

export interface Edge {
  strike(): Promise<void> | void;
  /** Takes it back. */
  heal(): Promise<void>;
}

/** Milliseconds, besides the span. */
const overTwoMinutes = 121_000;

/** Made ready before the badge. */
const edges: Readonly<Record<EdgeKind, (at: Struck) => Edge | Promise<Edge>>> = {
  'disk-full': ({ host, url, span, one }) => ({
    async strike() {
      host.fillDisk();
      if (one([true, false])) await spendLog(host, url);
    },
    async heal() {
      await sleep(span);
      host.freeDisk();
      await host.postgres.revive();
    },
  }),
  'slow-line': ({ line, lines, span, one }) => ({
    strike() {
      const weather = one([
        { delay: 40, loss: 10 },
        { delay: 150, loss: 0 },
        { delay: 150, loss: 25 },
        { delay: 600, loss: 5 },
      ]);
      for (const each of one([[line], lines])) each.slow(weather);
    },
    async heal() {
      await sleep(span);
      for (const each of lines) each.mend();
    },
  }),
  certificate: ({ host, lines, span, one }) => ({
    async strike() {
      const former = host.authority();
      const next = await host.showNext();
      // As the guide has it; or somebody forgot that step.
      if (one([true, false])) for (const line of lines) line.believe(former, next);
      for (const line of lines) {
        line.cut();
        line.mend();
      }
    },
    async heal() {
      await sleep(span);
      for (const line of lines) line.believe(host.authority());
    },
  }),
  'no-rights': ({ host: { role, postgres }, play, url, span, one }) => ({
    async strike() {
      const taken = one([
        `REVOKE INSERT ON platen.claim FROM ${role}`,
        `REVOKE UPDATE ON platen.claim FROM ${role}`,
        `REVOKE ALL ON platen.member FROM ${role}`,
        `REVOKE USAGE ON SCHEMA platen FROM ${role}`,
        `ALTER ROLE ${role} NOLOGIN`,
      ]);
      await postgres.query(taken, url);
      if (taken.endsWith('NOLOGIN')) await play.stage.looksAgain();
    },
    async heal() {
      await sleep(span);
      const again = ['SCHEMA platen', 'ALL TABLES IN SCHEMA platen'].map(
        (what) => `GRANT ALL ON ${what} TO ${role}`,
      );
      await postgres.query([...again, `ALTER ROLE ${role} LOGIN`].join('; '), url);
    },
  }),
  'one-reaches': ({ line, lines, span, one }) => ({
    strike() {
      const kept = one([line, ...lines]);
      const how = one(['cut', 'both', 'there', 'back'] as const);
      for (const other of lines.filter((each) => each !== kept)) {
        if (how === 'cut') other.cut();
        else other.silence(how);
      }
    },
    async heal() {
      await sleep(span);
      for (const each of lines) each.mend();
    },
  }),
  'long-pause': ({ host, play, place, span, one }) => ({
    strike() {
      if (one([true, false])) play.agentAt(place).signal('SIGSTOP');
      else host.postgres.pause();
    },
    async heal() {
      await sleep(overTwoMinutes + span);
      play.agentAt(place).signal('SIGCONT');
      host.postgres.resume();
      play.stage.cloud.forgiveReuse();
    },
  }),
  'dump-restore': async ({ host, play, url }) => {
    const dump = await host.postgres.dump(url);
    // Of a dump that is younger than that nobody can notice what it has lost.
    await beat(play.stage);
    return { strike: () => host.postgres.restore(dump, url), heal: async () => {} };
  },
  'signer-withdrawn': signerOf,
  'listener-taken': takenListener,
  'undo-halted': haltedBy,
};

/** Until the engine can write no change any more, and ends. */
async function spendLog({ postgres }: EdgeHost, url: string): Promise<void> {
  const segment = `SELECT pg_logical_emit_message(true, 'platen', 'a change'), pg_switch_wal()`;
  try {
    for (let spent = 0; spent < mostSegments; spent += 1) await postgres.query(segment, url);
  } catch {
    // It has ended, or refuses: that is what was wanted.
  }
}

const mostSegments = 20;

export async function prepareEdge(
  play: FleetPlay,
  place: Place,
  { kind, span, variant }: EdgeFault,
): Promise<Prepared> {
  const { places, edges: parts } = play.stage;
  const line = parts?.host.lines[places.indexOf(place)];
  if (parts === undefined || line === undefined) throw new Error('this stage has no engine at its edges');
  let left = variant;
  const { strike, heal } = await edges[kind]({
    ...parts,
    play,
    place,
    span,
    line,
    lines: parts.host.lines,
    one(choices) {
      const scaled = left * choices.length;
      left = scaled % 1;
      const choice = choices[Math.floor(scaled)];
      if (choice === undefined) throw new RangeError('nothing to choose from');
      return choice;
    },
  });
  return {
    [Symbol.dispose]: () => {},
    async strike() {
      await strike();
      return heal;
    },
  };
}
