// The sign-in message (SPEC.md section 5) in the text form of Sign In With Solana.
const iso = (unixSeconds) => new Date(Number(unixSeconds) * 1000).toISOString().replace('.000', '');

export function challengeText(fields) {
  return `${fields.origin.replace(/^https?:\/\//, '')} wants you to sign in with your Solana account:
${fields.wallet}

Sign in to the Rule-Set and Pass Service. This signs a message, not a transaction, and costs nothing.

URI: ${fields.origin}
Version: 1
Nonce: ${fields.nonce}
Issued At: ${iso(fields.issuedAt)}
Expiration Time: ${iso(fields.expiresAt)}
Request ID: ${fields.challengeId}
Resources:
- urn:service:program:${fields.program}
- urn:service:genesis:${fields.genesisHash}`;
}
