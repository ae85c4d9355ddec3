/** Set-up that the tests of several packages share. `@service/server/test-service` runs a whole service in the test process. */
export * from '@service/localnet/test-support';
export {
  approveManually,
  failHostedPage,
  type PersonalData,
  passHostedPage,
  passManualCheck,
  takeApprovalBack,
  type Verified,
  visitHostedPage,
} from './hosted-page.ts';
