/** The commit before this one as a tree of its own that can be run, made by git beside this one and gone afterwards. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a commit can make faster or slower without touching a test. */
const measured = ['src', 'tools', 'package.json', 'package-lock.json'];

export interface ParentTree extends Disposable {
  /** Its `tools/platen.js`. */
  readonly program: string;
}

/** In words, where there is nothing to compare `root` with. */
export function whyAlone(root: string): string | undefined {
  if (!succeeds(root, 'rev-parse', '--verify', '--quiet', 'HEAD^'))
    return 'there is no commit before this one here';
  const isSame = succeeds(root, 'diff', '--quiet', 'HEAD^', '--', ...measured);
  return isSame ? `nothing that is measured has changed (${measured.join(', ')})` : undefined;
}

export function makeParentTree(root: string): ParentTree {
  const room = mkdtempSync(join(tmpdir(), 'platen-parent-'));
  const tree = join(room, 'tree');
  const dispose = () => {
    if (!succeeds(root, 'worktree', 'remove', '--force', tree)) git(root, 'worktree', 'prune');
    rmSync(room, { recursive: true, force: true });
  };
  try {
    git(root, 'worktree', 'add', '--quiet', '--detach', tree, 'HEAD^');
    if (
      succeeds(
        root,
        'diff',
        '--quiet',
        'HEAD^',
        '--',
        'package-lock.json',
        'tools/node24',
        'tools/third-party',
      )
    ) {
      symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
      npm(tree, 'run', '--silent', 'build');
    } else {
      npm(tree, 'ci', '--silent');
    }
  } catch (error) {
    dispose();
    throw error;
  }
  return { program: join(tree, 'tools', 'platen.js'), [Symbol.dispose]: dispose };
}

const git = (root: string, ...args: readonly string[]): unknown =>
  execFileSync('git', args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });

const npm = (root: string, ...args: readonly string[]): unknown =>
  execFileSync('npm', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });

function succeeds(root: string, ...args: readonly string[]): boolean {
  try {
    git(root, ...args);
    return true;
  } catch {
    return false;
  }
}
