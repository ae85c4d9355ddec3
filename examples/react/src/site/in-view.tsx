import { type ReactNode, useEffect, useRef } from 'react';

/** Scrolls its content into the window and moves the focus there, because the person must not miss it. */
export function InView({ children }: { readonly children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const shown = content.current;
    if (!shown) return;
    const show = () => shown.scrollIntoView({ block: 'nearest' });
    show();
    shown.focus({ preventScroll: true });
    // The content grows when data arrive from the chain.
    const observer = new ResizeObserver(show);
    observer.observe(shown);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={content} role="alert" tabIndex={-1} className="in-view">
      {children}
    </div>
  );
}
