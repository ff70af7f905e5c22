/**
 * Whose rights decide what the webhook `w` is sent: its user's; of an organization its creator's while they are OWNER or ADMIN
 * there, and otherwise those of the OWNER who has been a member for longest. Null if there is nobody.
 */
export const READER = `coalesce(w.user_id,
  (SELECT m.user_id FROM organization_members m
   WHERE m.organization_id = w.organization_id AND m.user_id = w.created_by AND m.role IN ('OWNER', 'ADMIN')),
  (SELECT m.user_id FROM organization_members m
   WHERE m.organization_id = w.organization_id AND m.role = 'OWNER' ORDER BY m.created_at, m.user_id LIMIT 1))`;
