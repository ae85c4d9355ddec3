// A token without the transfer hook, as Mosaic creates it. Holders of passes thaw their own accounts through Token ACL.
// Needs `npm start` in another terminal, whose chain has a stand-in for Token ACL.
import './help.ts';
import { isServiceError } from '@service/sdk';
import { freezeWithoutPass, fundRuleSet, setGate, thawByPass } from '@service/sdk/chain';
import { readDeployment, verifiedPerson } from '@service/testing';
import { AccountRole, address, createSolanaRpc, generateKeyPairSigner } from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import * as token from '@solana-program/token';
import { send } from './send.ts';

const deployment = await readDeployment();
const { rpcUrl } = deployment;
const token2022 = { programAddress: address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb') };
const { client, wallet } = await verifiedPerson(deployment, { region: 'FI' });
const clauses = [{ regions: ['FI'], statuses: ['professional'], minAge: 18 }] as const;
const request = { name: 'Finnish professionals', clauses, maxPassAgeSeconds: 86_400n };
const { rule } = await client.createRuleSet(wallet, { ...request, powers: ['suspend'] });
await fundRuleSet(wallet, { deployment, rule, lamports: 1_000_000n });

// A mint as another tool creates it: new token accounts are frozen. It needs no binding, and keeps its mint authority.
const [key, space] = [await generateKeyPairSigner(), 171n];
const mint = key.address;
const lamports = await createSolanaRpc(rpcUrl).getMinimumBalanceForRentExemption(space).send();
const create = { payer: wallet, newAccount: key, lamports, space, ...token2022 };
const accounts = [{ address: mint, role: AccountRole.WRITABLE }];
const frozen = { ...token2022, accounts, data: Uint8Array.of(28, 0, 2) }; // the default state of accounts
const terms = { mint, decimals: 2, mintAuthority: wallet.address, freezeAuthority: wallet.address };
const initialize = token.getInitializeMint2Instruction(terms, token2022);
await send(rpcUrl, wallet, getCreateAccountInstruction(create), frozen, initialize);
await setGate(wallet, { deployment, mint, rule });

// A holder proves the rule set, then creates and thaws a token account in one transaction. Nobody else signs.
async function holder() {
  const { client, wallet, witness } = await verifiedPerson(deployment, { region: 'FI' });
  await client.prove(wallet, { rule, witness });
  return { wallet, account: (await thawByPass(wallet, { deployment, mint })).tokenAccount };
}
const [alice, bob] = await Promise.all([holder(), holder()]);
const refused = await thawByPass(wallet, { deployment, mint }).catch((error: unknown) => error);
if (isServiceError(refused))
  console.log('the issuer has no pass, so it cannot thaw an account:', refused.code);

// From here on, wallets and exchanges see a plain token: a transfer needs no other accounts.
const minting = { mint, token: alice.account, mintAuthority: wallet, amount: 100n };
await send(rpcUrl, wallet, token.getMintToInstruction(minting, token2022));
const { wallet: authority, account: source } = alice;
const move = { source, mint, destination: bob.account, authority, amount: 30n, decimals: 2 };
await send(rpcUrl, authority, token.getTransferCheckedInstruction(move, token2022));
console.log('sent 0.30 by a plain transfer');

// The end of a pass freezes nothing by itself. Then anyone, such as a keeper, can freeze the account.
const owner = bob.wallet.address;
await client.suspend(wallet, { rule, holder: owner, until: 2n ** 64n - 1n });
await freezeWithoutPass(alice.wallet, { deployment, mint, owner });
console.log('froze', bob.account);
