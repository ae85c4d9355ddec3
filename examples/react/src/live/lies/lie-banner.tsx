import type * as demo from '../../lies/lie-banner.tsx';

/** Without the demo: nothing makes the service lie. */
export const LieBanner: typeof demo.LieBanner = () => null;
