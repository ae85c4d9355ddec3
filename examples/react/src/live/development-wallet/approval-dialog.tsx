import type * as demo from '../../development-wallet/approval-dialog.tsx';

/** An operator's page has no dialog: each wallet shows its own prompt. */
export const ApprovalDialog: typeof demo.ApprovalDialog = () => null;
