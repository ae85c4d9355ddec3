import type { ComponentType } from 'react';
import { HolderPage } from '../holder/holder-page.tsx';
import { IssuerPage } from '../issuer/issuer-page.tsx';
import { LiesPage } from '../lies/lies-page.tsx';
import { PlayPage } from '../play/play-page.tsx';

/** A page of the site, in the order of the header. */
export interface Page {
  readonly path: string;
  readonly name: string;
  readonly component: ComponentType;
}

/** The pages of the demo, besides the start page. */
export const PAGES: readonly Page[] = [
  { path: '/play', name: 'Play', component: PlayPage },
  { path: '/issuer', name: 'Issuer desk', component: IssuerPage },
  { path: '/holder', name: 'Holder page', component: HolderPage },
  { path: '/lies', name: 'Lying service', component: LiesPage },
];
