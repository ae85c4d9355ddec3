/** Builds the site in docs/site. A warning or a fault is an error. */
import { join } from 'node:path';
import { build } from 'vitepress';
import { faultsOf, siteSize, sizeFault } from './check.ts';
import { digestOfSources, markSite } from './current.ts';
import { writeLlms } from './llms.ts';
import { writeReference } from './reference.ts';
import { base, root, site } from './sources.ts';
import { linkCitations, sidebar, stagePages } from './stage.ts';

const digest = digestOfSources();
stagePages();
await writeReference();
linkCitations();
await build(join(root, 'docs'));
writeLlms(sidebar(), base);
const size = siteSize();
const faults = [...faultsOf(site, base), ...sizeFault(size)];
if (faults.length > 0) throw new Error(`The site has ${faults.length} faults:\n${faults.join('\n')}`);
markSite(digest);
process.stdout.write(`${size.pages} pages, ${size.words} words\n`);
