'use client';
import {
  useNetwork,
  usePassport,
  useProve,
  useServiceClient,
  useSession,
  useWitness,
} from '@service/sdk/react';
import { registerDevelopmentWallet } from '@service/testing';

export function Holder() {
  const { status, wallet } = useSession();
  const { data: network } = useNetwork();
  const { data: passport } = usePassport();
  const { witness } = useWitness(wallet);
  const { isPending } = useProve(null);
  const client = useServiceClient();
  return (
    <main>
      <button type="button" onClick={() => registerDevelopmentWallet({ deployment: client.deployment })}>
        Register the development wallet
      </button>
      <p>{`session ${status}`}</p>
      <p>{`verifiers ${network?.verifiers.length}, pass fee ${network?.passFee}`}</p>
      <p>{`passes ${passport?.passes.length ?? 0}, witness ${witness !== null}, proving ${isPending}`}</p>
    </main>
  );
}
