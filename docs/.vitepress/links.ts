/** Turns the links between files of the repository into links between pages of the site. */
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from './sources.ts';

/** A fence, inline code, a comment, or a link or image. Only the last has groups: `!`, the text, the target. */
const PARTS =
  /^(?: *)(`{3,}|~{3,})[\s\S]*?^ *\1|<!--[\s\S]*?-->|(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)|(`+)(?!`)[\s\S]*?[^`]\5(?!`)/gm;

export interface Linked {
  readonly text: string;
  /** Files that are shown as images: path in the repository → path in the site. */
  readonly images: ReadonlyMap<string, string>;
}

/**
 * Rewrites the relative links of a file, which work on GitHub, so that they work on its page.
 *
 * - A link to a file with a page leads to the page.
 * - A link to another file, such as a source, becomes its text with the path of the file.
 *
 * @throws Error if a file does not exist
 */
export function withPageLinks(text: string, source: string, pages: ReadonlyMap<string, string>): Linked {
  const page = pages.get(source)!;
  const images = new Map<string, string>();
  const linked = text.replace(PARTS, (whole, _fence, image, label: string | undefined, target: string) => {
    if (label === undefined || /^([a-z]+:|#|\/\/)/i.test(target)) return whole;
    const [path = '', anchor] = target.split('#');
    const file = posix.join(posix.dirname(source), decodeURIComponent(path));
    if (file.startsWith('..') || !existsSync(join(root, file))) {
      throw new Error(`${source} links to ${target}, which does not exist`);
    }
    // GitHub and the style of the site show a picture with such an anchor only in its theme.
    const hash = anchor === undefined ? '' : `#${anchor}`;
    if (image) {
      images.set(file, `images/${posix.basename(file)}`);
      return `![${label}](${relativeTo(page, `images/${posix.basename(file)}`)}${hash})`;
    }
    // GitHub shows the README first, the site its start page.
    const wanted = file === 'README.md' ? 'docs/index.md' : file.replace(/\/$/, '');
    const readme = posix.join(wanted, 'README.md');
    const to = pages.get(wanted) ?? pages.get(readme);
    if (to) return `[${label}](${relativeTo(page, to)}${hash})`;
    const plain = label.replaceAll('`', '');
    return wanted.endsWith(plain) ? `\`${wanted}\`` : `${label} (\`${wanted}\`)`;
  });
  return { text: linked, images };
}

/** Returns the path of a file from the folder of a page. */
function relativeTo(page: string, file: string): string {
  const path = posix.relative(posix.dirname(page), file);
  return path.startsWith('.') ? path : `./${path}`;
}

/** Returns the anchor of a heading as GitHub makes it, so that one link works there and on the site. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
