import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface SectionLinkProps {
  /** A path with the id of a section, such as `/holder#tokens`. */
  readonly href: string;
  readonly children: ReactNode;
}

/** A link to a section. The router changes only the address, so this also scrolls there and moves the focus. */
export function SectionLink({ href, children }: SectionLinkProps) {
  const [, section = ''] = href.split('#');
  return (
    // The router shows the page after this handler.
    <Link href={href} onClick={() => setTimeout(() => moveTo(section))}>
      {children}
    </Link>
  );
}

function moveTo(section: string): void {
  const target = document.getElementById(section);
  if (!target) return;
  target.scrollIntoView();
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
