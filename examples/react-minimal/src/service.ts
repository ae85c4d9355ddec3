import { parseDeployment, ServiceClient } from '@service/sdk';
import json from '../deployment.json' with { type: 'json' };

/** The operator's deployment is part of the build. A page that fetches it from the service would trust the service. */
export const deployment = parseDeployment(json);
export const client = new ServiceClient({ deployment });
