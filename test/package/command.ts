/** The command line as a person has it: its tarball in an empty folder, run by npx against a running cluster. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stack } from '@service/development';
import { createSolanaRpc, getAddressDecoder, lamports } from '@solana/kit';
import nacl from 'tweetnacl';
import { run } from './install.ts';

/** Throws unless the command deploys the packed program with the packed artifacts, and shows what it has deployed. */
export async function deployByCommand(folder: string, { rpcUrl }: Stack['deployment']): Promise<void> {
  const command = (...parameters: string[]) => run('npx', ['--no', '@service/cli', ...parameters], folder);
  const [payer, program] = [nacl.sign.keyPair(), nacl.sign.keyPair()];
  await writeFile(join(folder, 'payer.json'), JSON.stringify([...payer.secretKey]));
  await writeFile(join(folder, 'program.json'), JSON.stringify([...program.secretKey]));
  const address = getAddressDecoder().decode(payer.publicKey);
  const sol = lamports(2_000_000_000n);
  await createSolanaRpc(rpcUrl).requestAirdrop(address, sol, { commitment: 'confirmed' }).send();
  const given = {
    'rpc-url': rpcUrl,
    'payer-file': 'payer.json',
    'program-keypair-file': 'program.json',
    'verifier-authority': address,
    'verifier-url': 'https://verifier.example',
    'pass-fee-lamports': '50000',
    'base-url': 'https://app.example',
  };
  await command('deploy', ...Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]));
  const { stdout } = await command('governance', '--deployment', 'deployment.json');
  if (!stdout.includes(`authority: ${address}\n`)) throw new Error(`The command shows ${stdout}`);
}
