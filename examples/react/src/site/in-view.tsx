import { type ReactNode, useEffect, useRef } from 'react';

/** Within this time, the page has shown what it still loads. */
const SETTLES_MS = 3_000;

/** Scrolls its content into the window and moves the focus there, because the person must not miss it. */
export function InView({ children }: { readonly children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const shown = content.current;
    if (!shown) return;
    const show = () => shown.scrollIntoView({ block: 'nearest' });
    show();
    shown.focus({ preventScroll: true });
    // The content and what is around it grow when data arrive from the chain. Later, the person may have scrolled away.
    const observer = new ResizeObserver(show);
    observer.observe(shown);
    if (shown.parentElement) observer.observe(shown.parentElement);
    const timer = setTimeout(() => observer.disconnect(), SETTLES_MS);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, []);
  return (
    <div ref={content} role="alert" tabIndex={-1} className="in-view">
      {children}
    </div>
  );
}
