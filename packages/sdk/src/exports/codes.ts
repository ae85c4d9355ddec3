// These need no schema. Schemas are built when their chunk loads.
export { isRegionCode, isStatusCode } from '@service/contract/clause-masks';
export { OPERATION_KINDS, OPERATION_STATES } from '@service/contract/operation';
export { REGION_GROUPS, REGIONS } from '@service/contract/regions';
export { STATUSES } from '@service/contract/statuses';
