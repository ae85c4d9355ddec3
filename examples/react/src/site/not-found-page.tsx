import { Link } from 'wouter';
import { PageTitle } from './page-title.tsx';

export function NotFoundPage() {
  return (
    <>
      <PageTitle name="Page not found">Page not found</PageTitle>
      <p>
        There is no page at this address. <Link href="/">Go to the start page</Link>.
      </p>
    </>
  );
}
