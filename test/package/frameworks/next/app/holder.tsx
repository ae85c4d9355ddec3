'use client';
import { useNetwork, usePassport, useProve, useSession, useWitness } from '@service/sdk/react';

export function Holder() {
  const { status, wallet } = useSession();
  const { data: network } = useNetwork();
  const { data: passport } = usePassport();
  const { witness } = useWitness(wallet);
  const { isPending } = useProve(null);
  return (
    <main>
      <p>{`session ${status}`}</p>
      <p>{`verifiers ${network?.verifiers.length}, pass fee ${network?.passFee}`}</p>
      <p>{`passes ${passport?.passes.length ?? 0}, witness ${witness !== null}, proving ${isPending}`}</p>
    </main>
  );
}
