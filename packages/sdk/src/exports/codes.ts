// These exports need no schema. A chunk with schemas builds them when it loads.
export { isRegionCode, isStatusCode } from '@service/contract/clause-masks';
export { OPERATION_KINDS, OPERATION_STATES } from '@service/contract/operation';
export { REGION_GROUPS, REGIONS } from '@service/contract/regions';
export { STATUSES } from '@service/contract/statuses';
