import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface SectionLinkProps {
  /** A path with the id of a section, such as `/holder#tokens`. */
  readonly href: string;
  readonly children: ReactNode;
}

/** A link to a section. The router changes only the address, so this also opens the section, scrolls there and moves the focus. */
export function SectionLink({ href, children }: SectionLinkProps) {
  const [, section = ''] = href.split('#');
  return (
    // The router shows the page after this handler.
    <Link href={href} onClick={() => setTimeout(() => moveTo(section))}>
      {children}
    </Link>
  );
}

/** How long a page may load its sections. */
const MOST_WAIT_MS = 10_000;
let watching: MutationObserver | undefined;

/** Moves to a section as soon as the page shows it. A later link replaces an earlier one. */
function moveTo(section: string): void {
  watching?.disconnect();
  const move = () => {
    const target = document.getElementById(section);
    if (target) show(target);
    return target !== null;
  };
  if (move()) return;
  const observer = new MutationObserver(() => move() && observer.disconnect());
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), MOST_WAIT_MS);
  watching = observer;
}

/** Opens a section that is closed, such as a step of the issuer desk, and brings it into the window. */
function show(target: HTMLElement): void {
  const header = target.querySelector<HTMLElement>('.step-header');
  if (header?.getAttribute('aria-expanded') === 'false') header.click();
  target.scrollIntoView();
  if (!header) target.tabIndex = -1;
  (header ?? target).focus({ preventScroll: true });
}
