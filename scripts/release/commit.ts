/** The commit that a release is packed from. */
import { execFileSync } from 'node:child_process';

/**
 * Returns the checked out commit, 40 hex digits, if the packages are packed from it and from nothing else. Files that git ignores do not
 * count: the builds write them.
 *
 * @throws Error if the checkout has changes or new files, or the commit does not have the tag of the version
 */
export function releasedCommit(checkout: string, version: string): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: checkout, encoding: 'utf8' }).trim();
  const others = git('status', '--porcelain', '--untracked-files=normal');
  if (others !== '')
    throw new Error(`The checkout has changes. Commit them, or use another checkout.\n${others}`);
  const tag = `v${version}`;
  if (!git('tag', '--points-at', 'HEAD').split('\n').includes(tag))
    throw new Error(
      `This commit does not have the tag ${tag}. Check it with .ci/run --full, then add the tag.`,
    );
  return git('rev-parse', 'HEAD');
}
