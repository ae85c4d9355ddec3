/** Shows what happened and what to do. For your people, write words of your own for the codes that they meet. */
export function ErrorText({ error }: { readonly error: Error | null | undefined }) {
  return error ? <p role="alert">{error.message}</p> : null;
}
