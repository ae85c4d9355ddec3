import { Link, useLocation } from 'wouter';
import { PAGES } from '#demo/site/pages.ts';
import { UnderWay } from '../operations/under-way.tsx';
import { WalletMenu } from '../wallet/wallet-menu.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

export function Header() {
  const [path] = useLocation();
  return (
    <header className="site-header">
      <div className="site-bar">
        <Link href="/" className="brand" aria-label="Rule-Set and Pass Service, start page">
          <PassMark />
          <span>Rule-Set and Pass Service</span>
        </Link>
        <nav aria-label="Pages">
          <ul>
            {PAGES.map(({ path, name }) => (
              <li key={path}>
                <PageLink path={path} name={name} />
              </li>
            ))}
          </ul>
        </nav>
        <ThemeSwitch />
        <WalletMenu />
      </div>
      {/* The page of the story has its own status. */}
      {path !== '/play' && <UnderWay />}
    </header>
  );
}

function PageLink({ path, name }: { readonly path: string; readonly name: string }) {
  const [current] = useLocation();
  return (
    <Link href={path} aria-current={current === path ? 'page' : undefined}>
      {name}
    </Link>
  );
}

function PassMark() {
  return (
    <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <path
        fill="currentColor"
        d="M5 7h22a2 2 0 0 1 2 2v4a3 3 0 0 0 0 6v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4a3 3 0 0 0 0-6V9a2 2 0 0 1 2-2Z"
      />
      <path className="brand-check" d="m10.5 16.5 3.500 3.500 7.500-8" />
    </svg>
  );
}
