/** The built SDK, used as an application does. */

/**
 * Imports the SDK. Returns a function that reads what a proof needs from the chain, which returns a function that proves.
 * The artifacts come from the service if `isDownloaded`, from `artifactsUrl`, or else from local files.
 */
export async function importOurs() {
  const sdk = await import('@service/sdk');
  return async (person, { isDownloaded = false, artifactsUrl } = {}) => {
    const { createKeyPairFromPrivateKeyBytes } = await import('@solana/kit');
    const { key, deployment, rule, witness, artifacts } = person;
    const pinned = sdk.parseDeployment(deployment);
    const client = new sdk.ServiceClient({ deployment: pinned });
    const keyPair = await createKeyPairFromPrivateKeyBytes(
      Uint8Array.from(atob(key), (character) => character.charCodeAt(0)),
    );
    await client.authenticate(await sdk.walletFromKeyPair(keyPair), pinned.genesisHash);
    const { credential, ruleSet, ...facts } = await client.proofContext({ rule });
    const expiresAt = sdk.latestPassExpiry({ credential, ruleSet, ...facts });
    const context = sdk.buildEligibilityContext(credential, ruleSet, expiresAt);
    const digest = pinned.artifactsDigest;
    const place = artifactsUrl ? { digest, url: artifactsUrl } : { digest, files: artifacts };
    const source = isDownloaded ? client.artifacts : sdk.artifactsFrom(place);
    return (onProgress) => sdk.generateEligibilityProof(context, witness, source, { onProgress });
  };
}
