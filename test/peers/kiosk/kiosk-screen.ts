/**
 * The kiosk's screen as `platen-kiosk.service` starts it, but for systemd: cage and Chromium as a user without rights,
 * with the unit's environment and the policies. cage's window is on a virtual X server, where xdotool presses real
 * keys. cage of Debian 12 has no virtual keyboard protocol, so that its headless backend would hear none.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { needsNamespaces, needsPeer } from '../../support/needs.ts';
import { startProcess, whenReady } from '../../support/process-group.ts';
import { eventually } from '../../support/patience.ts';

const run = promisify(execFile);

export const policyFile = 'config/chromium/platen-kiosk.json';

/** Programs, and the Debian packages that bring them. */
const peers: readonly (readonly [string, string])[] = [
  ['cage', 'cage'],
  ['Xwayland', 'xwayland'],
  ['Xvfb', 'xvfb'],
  ['xdotool', 'xdotool'],
  ['chromium', 'chromium'],
  ['curl', 'curl'],
];

/** `describe` for a suite that needs it; skipped by name where that is not to be had, in CI a failure. */
export function needsScreen(suiteName: string, suite: () => void): void {
  const [program = 'cage', debianPackage = 'cage'] = peers.find(([name]) => !isThere(name)) ?? [];
  needsPeer(program, debianPackage)(suiteName, () => needsNamespaces()('in namespaces of its own', suite));
}

const isThere = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)));

export interface Screen extends AsyncDisposable {
  /**
   * One after the other; keys by their numbers, which are those of Linux' input events and 8, held together in this
   * order.
   */
  press(...chords: readonly (readonly number[])[]): Promise<void>;
  /** What else xdotool can do. */
  act(...words: readonly string[]): Promise<void>;
  /** The addresses of all tabs and windows. */
  tabs(): Promise<readonly string[]>;
  /** Whether a debugger gets hold of the page. */
  canBeDebugged(): Promise<boolean>;
  isRunning(): boolean;
}

/** Whom the browser runs as: a uid that nobody else of this machine has, and no other process of the tests. */
export const screenUser = 60_000 + (Number(process.env['VITEST_WORKER_ID'] ?? 0) % 1000);

export interface ScreenOptions {
  /** `http://127.0.0.1:PORT/t/ID`. */
  readonly page: string;
  readonly launch: string;
  /** `none`: the browser's own shortcuts and a whole keyboard, to see that the test would notice. */
  readonly locks?: 'both' | 'none';
}

/** The policies for a listener at another port; a browser that may not be debugged could not be asked about its tabs. */
async function policiesFor(page: string): Promise<string> {
  const policies: Record<string, unknown> = JSON.parse(await readFile(policyFile, 'utf8'));
  return JSON.stringify({
    ...policies,
    URLAllowlist: [new URL(page).origin],
    RemoteDebuggingAllowed: true,
  });
}

/** The unit's `Environment=`, for the browser's runtime directory. */
async function unitEnvironment(runtime: string): Promise<Readonly<Record<string, string>>> {
  const unit = await readFile('systemd/platen-kiosk.service', 'utf8');
  const words = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) => line.split(' '));
  return Object.fromEntries(
    words.map((word) => word.replace('%t/platen-kiosk', runtime).split('=') as [string, string]),
  );
}

// The bind mount lets the browser's user read the project wherever it lies, and under its name in the unit. In /tmp a
// compositor leaves a socket and a lock of its X server, and looks for the 33 first only: there it has one of its own.
const inside = `
display=X\${DISPLAY#:}
mount --bind . "$OUTSIDE/project"
mount -t tmpfs tmpfs /mnt
mkdir /mnt/outside /mnt/x11
mount --rbind "$OUTSIDE" /mnt/outside
mount --bind /tmp/.X11-unix /mnt/x11
mount -t tmpfs -o mode=1777 tmpfs /tmp
mkdir -p "$OUTSIDE"
mount --rbind /mnt/outside "$OUTSIDE"
mkdir -m 1777 /tmp/.X11-unix
touch "/tmp/.X11-unix/$display"
mount --bind "/mnt/x11/$display" "/tmp/.X11-unix/$display"
mount -t tmpfs tmpfs /opt
mkdir /opt/platen
mount --bind "$OUTSIDE/project" /opt/platen
mount -t tmpfs tmpfs /etc/chromium
install -D -m 0644 "$OUTSIDE/policies.json" /etc/chromium/policies/managed/platen-kiosk.json
mount -t tmpfs -o mode=0700,uid=${screenUser} tmpfs "$RUNTIME_DIRECTORY"
mount -t tmpfs -o mode=0700,uid=${screenUser} tmpfs "$CREDENTIALS_DIRECTORY"
(umask 077 && printf '%s\\n' "\${PLATEN_PAGE%/t/*}" "$LAUNCH" >"$CREDENTIALS_DIRECTORY/launch" && chown ${screenUser} "$CREDENTIALS_DIRECTORY/launch")
unset LAUNCH
browser=/opt/platen/systemd/kiosk-browser
if [ "$LOCKS" = none ]; then
  sed 's/--force-app-mode//' $browser >/opt/kiosk-browser
  browser=/opt/kiosk-browser
  chmod 0755 $browser
  unset XKB_DEFAULT_RULES
fi
cd /
exec setpriv --reuid=${screenUser} --regid=${screenUser} --clear-groups --no-new-privs \
  cage -- $browser --remote-debugging-port=0
`;

const keymapOf = (symbols: string): string => `xkb_keymap {
  xkb_keycodes { include "evdev" };
  xkb_types { include "complete" };
  xkb_compat { include "complete" };
  xkb_symbols { include "${symbols}" };
};`;

/** Resolves when the page stands in the browser. */
export async function startScreen({ page, launch, locks = 'both' }: ScreenOptions): Promise<Screen> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'platen-screen-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  await run('chmod', ['0755', folder]);
  const runtime = join(folder, 'run');
  const credentials = join(folder, 'credentials');
  for (const one of [runtime, credentials, join(folder, 'project')]) await mkdir(one);
  await writeFile(join(folder, 'policies.json'), await policiesFor(page));

  const server = opened.use(
    await startProcess(
      'Xvfb',
      ['-displayfd', '1', '-screen', '0', '1024x768x24', '-nolisten', 'tcp', '-noreset'],
      {},
    ),
  );
  const display = await whenReady(
    'Xvfb',
    () => {
      const number = /^\d+$/m.exec(server.log())?.[0];
      if (number === undefined) throw new Error('it has told no display');
      return `:${number}`;
    },
    server,
  );
  const keymap = join(folder, 'keymap');
  // cage's window takes Shift, Ctrl and Alt from the X server, which must know them by the same keymap.
  await writeFile(keymap, keymapOf(locks === 'none' ? 'pc+us+inet(evdev)' : 'platen+us'));
  await run('xkbcomp', ['-w', '0', '-Iconfig/xkb', keymap, display]);

  const cage = opened.use(
    await startProcess(
      'unshare',
      ['-m', '--pid', '--fork', '--mount-proc', '--kill-child', 'sh', '-ec', inside],
      {
        ...(await unitEnvironment(runtime)),
        OUTSIDE: folder,
        RUNTIME_DIRECTORY: runtime,
        CREDENTIALS_DIRECTORY: credentials,
        PLATEN_PAGE: page,
        LAUNCH: launch,
        LOCKS: locks,
        DISPLAY: display,
        WLR_BACKENDS: 'x11',
        WLR_RENDERER: 'pixman',
      },
    ),
  );
  // unshare does not hear SIGTERM.
  opened.defer(() => cage.signal('SIGKILL'));

  const port = await whenReady(
    'Chromium in cage',
    () => {
      const reported = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(cage.log())?.[1];
      if (reported === undefined) throw new Error('it has told no debugger');
      return reported;
    },
    cage,
  );
  const targets = async (): Promise<readonly Target[]> => {
    const found = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as readonly Target[];
    // Chromium draws parts of its own window as pages; nobody can go there.
    return found.filter(({ url }) => !/^chrome:\/\/[\w-]+\.top-chrome\//.test(url));
  };
  const act = async (...words: readonly string[]): Promise<void> => {
    await run('xdotool', [...words], { env: { ...process.env, DISPLAY: display } });
  };
  await eventually(async () => expect((await targets()).map(({ url }) => url)).toEqual([page]));

  const held = opened.move();
  return {
    act,
    press: (...chords) => act(...chords.flatMap(wordsFor)),
    tabs: async () => (await targets()).map(({ url }) => url),
    async canBeDebugged() {
      const [target] = await targets();
      const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
      const { type } = await new Promise<Event>((resolve) => {
        for (const outcome of ['open', 'error']) socket.addEventListener(outcome, resolve);
      });
      socket.close();
      return type === 'open';
    },
    isRunning: () => !cage.hasExited(),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const wordsFor = (chord: readonly number[]): readonly string[] => [
  ...chord.flatMap((key) => ['keydown', '--delay', '1', `${key}`]),
  ...chord.toReversed().flatMap((key) => ['keyup', '--delay', '1', `${key}`]),
];

interface Target {
  readonly url: string;
  readonly webSocketDebuggerUrl: string;
}
