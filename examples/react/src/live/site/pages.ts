import { HolderPage } from '../../holder/holder-page.tsx';
import { IssuerPage } from '../../issuer/issuer-page.tsx';
import type * as demo from '../../site/pages.ts';

/** The pages, besides the start page. */
export const PAGES: typeof demo.PAGES = [
  { path: '/holder', name: 'Holder page', component: HolderPage },
  { path: '/issuer', name: 'Issuer desk', component: IssuerPage },
];
