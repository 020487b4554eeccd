/**
 * Machines of their own as far as the network goes: a namespace (ip-netns(8)) with cables to this one, which can be
 * pulled (ip-link(8)), or lose packets in a black hole one way or both (ip-route(8)). Names and addresses are nobody
 * else's; all of it goes with the namespace.
 */
import { execFileSync } from 'node:child_process';
import type { Way } from './cut-line.ts';

export interface Cable {
  /** The addresses of this end. */
  readonly here: string;
  readonly here6: string;
  /** The address at its other end. */
  readonly there: string;
  cut(): void;
  silence(way: Way): void;
  mend(): void;
}

export interface Network extends Disposable {
  readonly name: string;
  /** What begins the command of a program that is to run there. */
  readonly enter: readonly string[];
  readonly cables: readonly Cable[];
}

const environment = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` };
const ip = (...args: readonly string[]): void =>
  void execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'], env: environment });

let isAble: boolean | undefined;

/** Root alone may. */
export function mayMakeNetworks(): boolean {
  const probe = `platen-${process.pid}-probe`;
  try {
    if (isAble === undefined) {
      ip('netns', 'add', probe);
      ip('netns', 'del', probe);
    }
    return (isAble ??= true);
  } catch {
    return (isAble = false);
  }
}

let networks = 0;

export function makeNetwork(cables: number): Network {
  networks += 1;
  const name = `platen-${process.pid}-${networks}`;
  ip('netns', 'add', name);
  const laid = Array.from({ length: cables }, (_, index) => layCable(name, index));
  ip('-n', name, 'link', 'set', 'lo', 'up');
  return {
    name,
    enter: ['ip', 'netns', 'exec', name],
    cables: laid,
    [Symbol.dispose]: () => ip('netns', 'del', name),
  };
}

/** Of 10.64.0.0/10 and of fd64::/16, addresses that no other network of the tests has: by process, network and cable. */
function addressesOf(index: number) {
  const block = ((process.pid % 2 ** 15) * 4 + (networks % 4)) * 8 + index;
  const at = (place: number): string => {
    const number = 4 * block + place;
    return `10.${64 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
  };
  const at6 = (place: number): string =>
    `fd64::${(block >> 16).toString(16)}:${(block & 0xffff).toString(16)}:${place}`;
  return { here: at(1), there: at(2), here6: at6(1), there6: at6(2) };
}

function layCable(name: string, index: number): Cable {
  const link = `pn${process.pid}h${networks}x${index}`.slice(-15);
  ip('link', 'add', link, 'type', 'veth', 'peer', 'name', `e${index}`, 'netns', name);
  const { here, there, here6, there6 } = addressesOf(index);
  ip('addr', 'add', `${here}/30`, 'dev', link);
  // Without the look for a twin: its second would be waited for.
  ip('addr', 'add', `${here6}/112`, 'dev', link, 'nodad');
  ip('link', 'set', link, 'up');
  const inside = (...args: readonly string[]) => ip('-n', name, ...args);
  inside('addr', 'add', `${there}/30`, 'dev', `e${index}`);
  inside('addr', 'add', `${there6}/112`, 'dev', `e${index}`, 'nodad');
  inside('link', 'set', `e${index}`, 'up');
  const holes = {
    there: (deed: 'add' | 'del') => ip('route', deed, 'blackhole', `${there}/32`),
    back: (deed: 'add' | 'del') => inside('route', deed, 'blackhole', `${here}/32`),
  };
  let open: readonly (keyof typeof holes)[] = [];
  return {
    here,
    here6,
    there,
    cut: () => ip('link', 'set', link, 'down'),
    silence(way: Way) {
      open = way === 'both' ? ['there', 'back'] : [way];
      for (const one of open) holes[one]('add');
    },
    mend() {
      for (const one of open) holes[one]('del');
      open = [];
      ip('link', 'set', link, 'up');
    },
  };
}
