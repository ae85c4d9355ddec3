import type * as demo from '../../lies/lying-service.ts';

/** An operator's page does not change responses of the service. */
export const fetchFromService: typeof demo.fetchFromService = (input, init) => fetch(input, init);
