/**
 * Who can fix a problem: `holder` sends or proves, `recipient` owns the destination, `issuer` bound the mint, `operator`
 * governs, `verifier` issued the credential (SPEC.md section 1).
 *
 * @inline
 */
export type Actor = 'holder' | 'recipient' | 'issuer' | 'operator' | 'verifier';
