/**
 * The rules of the house (README, "How it is built"), each with its reason. There is no way to opt out: a rule that
 * is wrong is changed here, with its reason.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { quarantined } from '../tools/quarantine.ts';

const src = fileURLToPath(new URL('../src', import.meta.url));

const ranks: Readonly<Record<string, number>> = {
  core: 0,
  domain: 1,
  ipp: 1,
  config: 1,
  // What people are told at a screen, in every language; page and prompt say it.
  phrases: 1,
  enrollment: 2,
  release: 2,
  // The conversation with a person asks for releases; a release knows no person's screen.
  terminal: 3,
  cloud: 2,
  printing: 2,
  readers: 2,
  store: 2,
  // The engine that several gateways share; loaded where there is a fleet.
  fleet: 2,
  // Users whom this gateway makes for hours, and ends.
  guests: 2,
  status: 2,
  // Reads conditions and sends them out; it is given the list, the way out and what it told before.
  notify: 2,
  // The same with the traces of releases.
  telemetry: 2,
  // What kiosk and operations have in common.
  listener: 1,
  kiosk: 2,
  operations: 2,
  // Meets its terminal by an interface of its own, as the kiosk page meets the view.
  prompt: 2,
  simulator: 2,
  // One terminal with all that is its own is composed, then the agent; commands speak with people and call what is
  // composed, and main.ts starts the command line.
  station: 4,
  agent: 5,
  commands: 6,
  '': 7,
};

interface SourceFile {
  readonly path: string;
  readonly folder: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const files: readonly SourceFile[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && statSync(join(src, path)).isFile())
  .map((path) => {
    const text = readFileSync(join(src, path), 'utf8');
    const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name = '']) => name);
    return { path, folder: path.includes('/') ? (path.split('/')[0] ?? '') : '', text, imports };
  });

const localImports = (file: SourceFile) =>
  file.imports
    .filter((name) => name.startsWith('.') && /\.tsx?$/.test(name))
    .map((name) => relative(src, resolve(src, dirname(file.path), name)));
const folderOf = (path: string) => (path.includes('/') ? (path.split('/')[0] ?? '') : '');

describe('ranks', () => {
  it('knows every folder of src', () => {
    expect([...new Set(files.map(({ folder }) => folder))].filter((folder) => !(folder in ranks))).toEqual(
      [],
    );
  });

  it('lets a folder import lower ranks only; domain is below its rank-1 neighbours', () => {
    const upward = files.flatMap((file) =>
      localImports(file)
        .filter((path) => {
          const target = folderOf(path);
          if (target === file.folder) return false;
          if (target === 'domain' && ['config', 'listener', 'phrases'].includes(file.folder)) return false;
          return (ranks[target] ?? 99) >= (ranks[file.folder] ?? -1);
        })
        .map((path) => `${file.path} imports ${path}`),
    );
    expect(upward).toEqual([]);
  });

  it('keeps the simulator free of the code it is to test', () => {
    const shared = files
      .filter(({ folder }) => folder === 'simulator')
      .flatMap((file) => localImports(file).filter((path) => ['cloud', 'printing'].includes(folderOf(path))));
    expect(shared).toEqual([]);
  });
});

it('loads nothing of the fleet unless there is one (F4): others import its types, or all of it when they need it', () => {
  const imported = /^import (?!type\b)[^;]*?from '(\.[^']+)'/gm;
  const loading = files.filter(
    ({ folder, path, text }) =>
      folder !== 'fleet' &&
      [...withoutComments(text).matchAll(imported)].some(
        ([, name = '']) => folderOf(relative(src, resolve(src, dirname(path), name))) === 'fleet',
      ),
  );
  expect(loading.map(({ path }) => path)).toEqual([]);
});

it('loads nothing that tells others unless it is configured: the agent imports types, or all of it when it needs it', () => {
  const loading = files.filter(
    ({ folder, text }) =>
      folder === 'agent' &&
      /^import (?!type\b)[^;]*?from '[^']*\/(?:notify|telemetry)\/[^']*'/m.test(withoutComments(text)),
  );
  expect(loading.map(({ path }) => path)).toEqual([]);
});

it('starts the simulated cloud without what most never ask it for: a configuration, the log, YAML, TLS, and other programs', () => {
  const imported = /^(?:import|export) (?!type\b)[^;]*?from '([^']+)'/gm;
  const reached = new Map<string, string>();
  const waiting = ['main.ts', 'commands/simulate/cloud.ts'].map((path) => ({ path, by: '' }));
  for (const { path, by } of waiting) {
    if (reached.has(path)) continue;
    reached.set(path, by);
    const text = files.find((file) => file.path === path)?.text ?? '';
    for (const [, name = ''] of withoutComments(text).matchAll(imported)) {
      waiting.push({
        path: name.startsWith('.') ? relative(src, resolve(src, dirname(path), name)) : name,
        by: path,
      });
    }
  }
  expect(reached.size).toBeGreaterThan(150);
  const heavy =
    /^(?:config\/(?:load|schema\/config)\.ts|core\/log\.ts|pino|yaml|node:(?:child_process|https?|tls|zlib|worker_threads))$/;
  expect([...reached].filter(([path]) => heavy.test(path))).toEqual([]);
});

it('keeps the kiosk page free of what runs on the server: it shares phrases, types, frames, amounts, totals, pages, the sides of paper and the work on it', () => {
  const shared = files
    .filter(({ path }) => /^(?:kiosk\/page|phrases)\//.test(path))
    .flatMap((file) => localImports(file).filter((path) => !/^(?:kiosk\/page|phrases)\//.test(path)));
  const allowed =
    /^(?:core\/text\/emoji|kiosk\/(?:frame|commands|look)|listener\/page\/(?:clock|found-by)|domain\/(?:amount|document-changes|language|login|page-range|print-total|printer\/paper-work|terminal\/notice|terminal\/(?:account|stick|terminal)-view|problem\/(?:printer-needs|problem-(?:kinds|sentences))))\.ts$/;
  expect(shared.filter((path) => !allowed.test(path))).toEqual([]);
});

it('keeps the administrators’ page free of what runs on the server: it shares answers, digests and what is said of problems, printers and outages', () => {
  const shared = files
    .filter(({ path }) => path.startsWith('operations/page/'))
    .flatMap((file) => localImports(file).filter((path) => !path.startsWith('operations/page/')));
  const allowed =
    /^(?:operations\/ui\/answers|listener\/page\/(?:clock|found-by)|domain\/(?:gateway-digest|gateway-troubles|release-trace|problem\/(?:printer-needs|problem-kinds?)|terminal\/outage-words))\.ts$/;
  expect(shared.filter((path) => !allowed.test(path))).toEqual([]);
});

it("lets a page's server read no file that a request names (T05): its own at the start, and the kernel's tables", () => {
  const readers = files.filter(
    ({ path, imports }) =>
      /^(?:kiosk|listener|operations\/ui)\//.test(path) &&
      imports.some((name) => /^node:(?:fs|fs\/promises|sqlite)$/.test(name)),
  );
  expect(readers.map(({ path }) => path).sort()).toEqual([
    'kiosk/server/peer-user.ts',
    'listener/page-files.ts',
  ]);
});

describe('single owners', () => {
  const owners: readonly { what: RegExp; where: readonly string[]; why: string }[] = [
    {
      what: /^xstate$/,
      where: ['enrollment/', 'release/', 'terminal/'],
      why: 'machines decide; everything else acts',
    },
    { what: /^undici$/, where: ['cloud/'], why: 'one classifier, and no second way out' },
    {
      what: /^node:https?$/,
      where: [
        'printing/ipp/wire/',
        'cloud/',
        'kiosk/',
        'listener/',
        'operations/operations-server.ts',
        'operations/ui/',
        'simulator/',
        'commands/control-call.ts',
      ],
      why: "Node's client speaks to printers, for undici ends at an interim answer, and over the agent's own socket; elsewhere these are servers and names",
    },
    { what: /^serialport$/, where: ['readers/serial/serial.ts'], why: 'native code at one door' },
    {
      what: /^@serialport\/bindings-cpp$/,
      where: ['readers/device-node.ts'],
      why: 'its poll is the only wait for a device that holds no thread and lets the process end',
    },
    {
      what: /^koffi$/,
      where: ['readers/hid/ioctl.ts'],
      why: 'any call into C can end the process: one call, one door',
    },
    { what: /^node:sqlite$/, where: ['store/'], why: 'one writer, one place for transactions' },
    {
      what: /^nodemailer$/,
      where: ['notify/mail.ts'],
      why: 'mail is one way of several, and loaded when the first message goes',
    },
    { what: /^pg$/, where: ['fleet/engine/'], why: 'one connection, checked at every connect (F1, F2)' },
    { what: /^pino$/, where: ['core/log.ts'], why: 'no record goes round the escaping and the redaction' },
    { what: /^fastify$/, where: ['kiosk/', 'operations/', 'listener/'], why: 'no other listeners' },
    {
      what: /^preact/,
      where: ['kiosk/page/', 'operations/page/'],
      why: 'the pages run in a browser, all else does not',
    },
    { what: /^prom-client$/, where: ['operations/'], why: 'metric names are part of the contract' },
    {
      what: /^node:child_process$/,
      where: [
        'printing/conversion/own-room.ts',
        'simulator/reader/reader.ts',
        'simulator/private-postgres.ts',
        'simulator/cloud/calls/certificates/pkcs12.ts',
        'operations/service-manager.ts',
        'commands/init/programs.ts',
        'commands/platen-process.ts',
        'commands/logs/journal.ts',
        'commands/program.ts',
      ],
      why: 'a program runs shut in, or not at all; script(1) lends the virtual reader its pseudo-terminal; a fleet to try has a PostgreSQL of its own; openssl(1) reads the PKCS#12 that the simulated cloud is given; systemd-notify(1) speaks to systemd; init asks avahi-browse(1), and starts the agent by systemctl(1) or, as a demo does, as its child; a support bundle asks systemd, the journal and dpkg; `platen logs` reads the journal as it comes',
    },
    { what: /^node:tty$/, where: ['prompt/tty.ts'], why: 'raw mode is undone where it is done' },
    { what: /^node:timers/, where: ['core/clock.ts'], why: 'tests turn the clock' },
  ];

  it.each(owners)('imports $what only in $where: $why', ({ what, where }) => {
    const elsewhere = files.filter(
      (file) =>
        file.imports.some((name) => what.test(name)) && !where.some((door) => file.path.startsWith(door)),
    );
    expect(elsewhere.map(({ path }) => path)).toEqual([]);
  });

  const words: readonly { what: RegExp; where: readonly string[]; why: string }[] = [
    {
      what: /\b(?:new Date|Date\.(?:now|parse)|(?<![.\w])setTimeout\(|setInterval\(|performance\.now|AbortSignal\.timeout)/,
      where: ['core/clock.ts', 'listener/page/clock.ts'],
      why: 'time comes in by one door, so that no test sleeps; the pages have a door of their own',
    },
    {
      what: /\b(?:Math\.random|randomBytes|randomUUID|randomInt)\b/,
      where: ['core/chance.ts'],
      why: 'chance comes in by one door, so that a run can be replayed',
    },
    {
      what: /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|srcdoc/,
      where: [],
      why: 'what others have named is put in as text (T06)',
    },
    { what: /\bprocess\.exit\b/, where: ['main.ts'], why: 'only main knows when everything is closed' },
    { what: /\bconsole\./, where: ['commands/'], why: 'the agent speaks through its log' },
    {
      what: /as any\b|@ts-(?:ignore|expect-error)|eslint-disable|oxlint-disable/,
      where: [],
      why: 'no way around the checks',
    },
  ];

  it.each(words)('writes $what only in $where: $why', ({ what, where }) => {
    const elsewhere = files.filter(
      (file) => what.test(withoutComments(file.text)) && !where.some((door) => file.path.startsWith(door)),
    );
    expect(elsewhere.map(({ path }) => path)).toEqual([]);
  });
});

describe('files', () => {
  it('open by saying what they are', () => {
    expect(files.filter(({ text }) => !/^(?:#!.*\n)?\/\*\*/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('are named by a noun, not by a drawer for everything', () => {
    const drawers = /(?:^|\/)(?:utils?|helpers?|common|misc|manager|shared|index)\b/;
    expect(files.filter(({ path }) => drawers.test(path)).map(({ path }) => path)).toEqual([]);
  });
});

describe('rooms', () => {
  it('have no files that need each other, by whatever way round: types count as well', () => {
    const needs = new Map(files.map((file) => [file.path, localImports(file)]));
    expect(circlesIn(needs)).toEqual([]);
  });

  it('of which one stands on another lead down: what the calls of the simulated cloud stand on knows none of them', () => {
    const cloud = 'simulator/cloud/';
    const above = /^(?:administration|cloud|population|routes|service|serving)\.ts$|^(?:calls|control)\//;
    const upward = files
      .filter(({ path }) => path.startsWith(cloud) && !above.test(path.slice(cloud.length)))
      .flatMap((file) =>
        localImports(file)
          .filter((path) => path.startsWith(cloud) && above.test(path.slice(cloud.length)))
          .map((path) => `${file.path} imports ${path}`),
      );
    expect(upward).toEqual([]);
  });

  it('are found going round where they do', () => {
    const needs = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', ['e']],
      ['e', ['node:fs']],
    ]);
    expect(circlesIn(needs)).toEqual(['a -> b -> c -> a']);
  });
});

describe('the tests', () => {
  const tests = readdirSync(dirname(src) + '/test', { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.tsx?$/.test(path),
  );
  /** Who may import whom: lower ranks only, and the own folder; rooms that mirror src have rank 2. */
  const testRanks: Readonly<Record<string, number>> = {
    support: 0,
    contracts: 1,
    sessions: 3,
    fuzz: 3,
    storm: 4,
    flows: 5,
    faults: 5,
    security: 5,
    browser: 5,
    peers: 6,
    bench: 7,
    machines: 7,
    campaign: 8,
    proof: 9,
    sharpness: 9,
    '': 10,
  };
  const rankOf = (folder: string) => testRanks[folder] ?? 2;

  it('import lower ranks only: support, contracts, rooms, whole agents, peers, bench, campaign, proof', () => {
    const upward = tests.flatMap((path) => {
      const text = readFileSync(join(dirname(src), 'test', path), 'utf8');
      return [...text.matchAll(/^import [^;]*? from '(\.[^']+)'/gm)]
        .map(([, name = '']) => join(dirname(path), name))
        .filter((target) => !target.startsWith('..') && folderOf(target) !== folderOf(path))
        .filter((target) => rankOf(folderOf(target)) >= rankOf(folderOf(path)))
        .map((target) => `${path} imports ${target}`);
    });
    expect(upward).toEqual([]);
  });

  const linesOf = (path: string, what: RegExp): readonly string[] =>
    withoutComments(readFileSync(join(dirname(src), 'test', path), 'utf8'))
      .split('\n')
      .filter((line) => what.test(line));

  /** Outside of bench and campaign only the files with a reason have such lines, and each of those files has one. */
  function expectOnlyWithReason(what: RegExp, reasons: Readonly<Record<string, string>>): void {
    const found = tests
      .filter((path) => !/^(?:bench|campaign)\//.test(path) && reasons[path] === undefined)
      .flatMap((path) => linesOf(path, what).map((line) => `${path}: ${line.trim()}`));
    expect(found).toEqual([]);
    expect(Object.keys(reasons).filter((path) => linesOf(path, what).length === 0)).toEqual([]);
  }

  it('have no limit of their own below patience, and none that measures the machine', () => {
    const ownLimit =
      /^\s*\}, [\d_]+\);$|\btimeout: [\d_]{3,}|AbortSignal\.timeout\(|systemClock\.deadline\((?:seconds|milliseconds)\(|performance\.now\(\) - \w+\)\.toBeLess|vi\.wait/;
    const limitIsTried = {
      'commands/check/examination.test.ts': 'what is not ready in time is told as that',
      'commands/password.test.ts': 'a password that nobody gives',
      'core/waiting.test.ts': 'the deadline of the system itself',
      'domain/card/regex.test.ts': 'a search that should never take long: it has patience',
      'fleet/line.test.ts': 'a server that says nothing',
      'operations/overview.test.ts': 'an engine that hangs',
      'peers/fleet/fleet-alone.test.ts': 'a claim for which nobody answers',
      'printing/ipp/http-post.test.ts': 'a printer that does not answer, or in part',
      'printing/rebinding.test.ts': 'a name that leads nowhere',
      'support/patience.ts': 'the limits of a command, as many times longer as the machine is slower',
      'support/printer/printers.ts': 'a printer that does not answer',
    };
    expectOnlyWithReason(ownLimit, limitIsTried);
  });

  it('do not sleep, but where time on a clock of others is what is tried', () => {
    const sleeps = /\bsystemClock\.sleep\(|\bawait (?:sleep|pause|delay)\(/;
    const clockOfOthers = {
      'commands/check/machine.test.ts': 'work that takes longer than 2 s is told of',
      'core/waiting.test.ts': 'the sleep of the system itself',
      'flows/session-memory.test.ts': 'the reader’s pause in an agent that is a process',
      'machines/stick-guest.ts': 'a stick is looked for as often as the agent does',
      'peers/kiosk/kiosk-shortcuts.test.ts': 'a window that a key should not have opened',
      'peers/reader-pcscd.test.ts': 'the clock of the agent, hastened',
      'peers/slow-sink.ts': 'a printer that is slow',
      'peers/spooler-cupsd.test.ts': 'CUPS tells times by the second',
      'peers/whole-agent-cupsd.test.ts': 'CUPS tells times by the second',
      'printing/ipp/spooler-vigil.test.ts': 'the clock of the agent, written down',
      'proof/kills/kill.test.ts': 'a kill at any moment',
      'prompt/prompt.test.ts': 'the clock of the agent, hastened',
      'support/fleet/fleet-stage.ts': 'the reader’s pause, on the time of an engine',
      'support/forward-clock.ts': 'the clock itself',
      'support/patience.ts': 'the wait itself',
      'support/slow-line.ts': 'a line that is slow',
      'support/virtual-time.ts': 'the clock itself',
      'sessions/mischief.ts': 'the virtual clock of a scene',
    };
    expectOnlyWithReason(sleeps, clockOfOthers);
  });

  it('of several programs can be played in one run: each program has its turn', () => {
    const config = readFileSync(join(dirname(src), 'tools/vitest.config.ts'), 'utf8');
    const turns = [...config.matchAll(/\.\.\.inTurn\((\d)\)/g)].map(([, turn]) => turn);
    expect(turns).toHaveLength([...config.matchAll(/\bname: '/g)].length);
    expect(new Set(turns).size).toBe(turns.length);
  });

  it('are in quarantine ten at most, for fourteen days, and none that proves an invariant or survives a kill', () => {
    const longest = 14 * 24 * 3_600_000;
    expect(quarantined.length).toBeLessThanOrEqual(10);
    expect(quarantined.filter(({ since }) => Date.now() - Date.parse(since) > longest)).toEqual([]);
    expect(quarantined.filter(({ test }) => /\bI(?:[1-9]|1[0-2])\b|kill/i.test(test))).toEqual([]);
  });
});

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

/** At least one of those that hang together, as the way round. */
function circlesIn(needs: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const seen = new Set<string>();
  const circles = new Set<string>();
  const walk = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path);
    if (start >= 0) circles.add([...way.slice(start), path].join(' -> '));
    if (start >= 0 || seen.has(path)) return;
    for (const next of needs.get(path) ?? []) walk(next, [...way, path]);
    seen.add(path);
  };
  for (const path of needs.keys()) walk(path, []);
  return [...circles];
}
