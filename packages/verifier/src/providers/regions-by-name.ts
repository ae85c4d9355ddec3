import { REGIONS } from '@service/contract';

/** The regions as people look for them in a list. The order of REGIONS is that of the codes. */
export const REGIONS_BY_NAME = REGIONS.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
