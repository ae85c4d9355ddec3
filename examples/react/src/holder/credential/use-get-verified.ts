import { useStartVerification } from '@service/sdk/react';
import { useMutation } from '@tanstack/react-query';

/** Sends the person to the verifier. They come back to the holder page. */
export function useGetVerified() {
  const start = useStartVerification();
  return useMutation({
    mutationKey: ['getVerified'],
    mutationFn: async () => {
      const { url } = await start.mutateAsync({ returnUrl: `${location.origin}/holder` });
      location.assign(url);
    },
  });
}
