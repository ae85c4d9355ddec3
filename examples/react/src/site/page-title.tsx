import { type ReactNode, useEffect, useRef } from 'react';

/** Whether the first page was shown. Only a later page takes the focus, so that screen readers read its title. */
let isLaterPage = false;

/** The only H1 of a page. It also names the document. */
export function PageTitle({ children, name }: { readonly children: ReactNode; readonly name: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${name} · Rule-Set and Pass Service`;
    if (isLaterPage) heading.current?.focus();
    isLaterPage = true;
  }, [name]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
