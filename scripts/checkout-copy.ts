/** Copies the checkout, so that generators can run without changing the files that a contributor edits. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
/** Folders of tools in node_modules that a copy must not share. */
const CACHES = ['.cache', '.vite', '.vite-temp'];

/** A copy of the checkout in a temporary folder. */
export interface CheckoutCopy {
  readonly folder: string;
  /** Returns `git diff` between the checkout and the copy as it is now, with new files. Empty if nothing differs. */
  difference(): string;
  remove(): void;
}

/** Copies every file that git does not ignore, with uncommitted changes, and links the installed packages. */
export function copyCheckout(): CheckoutCopy {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-'));
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });
  const listed = git(ROOT, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0');
  for (const path of listed) {
    if (path === '' || !existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(ROOT, path), join(folder, path));
  }
  linkPackages(folder);
  git(folder, 'init', '--quiet');
  git(folder, 'add', '--all');
  return {
    folder,
    difference() {
      // Without this, git diff leaves new files out.
      const added = git(folder, 'ls-files', '-z', '--others', '--exclude-standard')
        .split('\0')
        .filter(Boolean);
      if (added.length > 0) git(folder, 'add', '--intent-to-add', '--', ...added);
      return git(folder, 'diff', '--no-color', '--no-ext-diff');
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Links each installed package. The packages of the repository are relative links, which then point into the copy. */
function linkPackages(folder: string): void {
  const workspaces = ['packages', 'examples'].flatMap((parent) =>
    readdirSync(join(folder, parent)).map((name) => join(parent, name)),
  );
  for (const workspace of ['', ...workspaces]) {
    const [installed, linked] = [ROOT, folder].map((root) => join(root, workspace, 'node_modules')) as [
      string,
      string,
    ];
    if (!existsSync(installed)) continue;
    mkdirSync(linked);
    for (const name of readdirSync(installed).filter((each) => !CACHES.includes(each))) {
      if (name !== '@service') symlinkSync(join(installed, name), join(linked, name));
      else cpSync(join(installed, name), join(linked, name), { recursive: true, verbatimSymlinks: true });
    }
  }
}
