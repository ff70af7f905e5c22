import type { PendingTransfer } from '../organizations.service.js';
import type { PresentedTransfer } from './dto/transfer.response.dto.js';

export function presentTransfer(transfer: PendingTransfer): PresentedTransfer {
  return {
    user_id: transfer.toUserId,
    from_user_id: transfer.fromUserId,
    created_at: transfer.createdAt.toISOString(),
    expires_at: transfer.expiresAt.toISOString(),
  };
}
