// Create a rule set and fund its passes. Needs `npm start` in another terminal.
import './help.ts';
import { REGION_GROUPS, ServiceClient } from '@service/sdk';
import { fetchRuleSet, fundRuleSet } from '@service/sdk/chain';
import { fundedWallet, readDeployment } from '@service/testing';

const deployment = await readDeployment();
const client = new ServiceClient({ deployment });
const issuer = await fundedWallet(deployment); // a new wallet with SOL from the cluster's faucet
await client.authenticate(issuer, deployment.genesisHash);
const { rule, signature } = await client.createRuleSet(
  issuer,
  {
    name: 'EU professionals, Swiss adults',
    clauses: [
      { regions: REGION_GROUPS.EU, statuses: ['professional', 'institutional'], minAge: 18 },
      { regions: ['CH'], statuses: ['retail', 'accredited', 'professional'], minAge: 21 },
    ],
    maxPassAgeSeconds: 30n * 86_400n,
  },
  { onState: (state) => console.log('  ', state) },
);
console.log('rule set', rule, 'in', signature);

// Each pass costs a fee that governance sets. The rule set pays it from its own lamports.
const { passFee } = await client.network();
await fundRuleSet(issuer, { deployment, rule, lamports: 100n * (passFee ?? 0n) });
const ruleSet = await fetchRuleSet({ deployment, rule });
console.log(`funds for ${(ruleSet?.passFunds ?? 0n) / (passFee ?? 1n)} passes`);
