/** Says what the tokens of the demo are worth. */
export function ValueNote({ isSandbox }: { readonly isSandbox: boolean }) {
  return (
    <>
      This demo runs on a development cluster. Its tokens and its SOL have no value
      {isSandbox && ', and the sandbox verifier checks nobody'}.{' '}
    </>
  );
}
