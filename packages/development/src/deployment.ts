import type { deploymentRecord } from '@service/contract';
import type * as z from 'zod/mini';

/** The values that a client pins: the content of deployment.json. `baseUrl` is the origin of the site. */
export type Deployment = Readonly<z.output<typeof deploymentRecord>> & { readonly baseUrl: string };
