import type * as demo from '../../development-wallet/approval-dialog.tsx';

/** Without the demo: a wallet has its own prompt. */
export const ApprovalDialog: typeof demo.ApprovalDialog = () => null;
