import { resolve } from 'node:path';

/** Folder of the page that `npm run build` makes: the holder page and the issuer desk. A checkout may not have it. */
export const pagesDirectory = resolve(import.meta.dirname, '../pages');
