import type * as demo from '../../lies/lie-banner.tsx';

/** An operator's page has no lies to warn of. */
export const LieBanner: typeof demo.LieBanner = () => null;
