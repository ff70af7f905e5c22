import { triggerFunction, type Topic } from '../1_0_0/topic.js';
import { released, replacing } from './released.js';

const LOG = released('FUNCTION', 'log_share_links');
const LOG_TRIGGER = released('TRIGGER', 'share_links_log');
const HAS_ROOM = released('FUNCTION', 'has_room_for_share_link');

/** Other than by the rotation of its key, which is logged itself. */
const TAKEN_OVER = `OLD.api_key_id IS DISTINCT FROM NEW.api_key_id
  AND NOT EXISTS (SELECT FROM api_keys WHERE id = OLD.api_key_id AND replaced_by = NEW.api_key_id)`;

const LOG_WITH_KEYS = LOG.replaceAll(
  /\b(OLD|NEW)\.expires_at AT/g,
  (_, row: string) => `share_link_end(${row}) AT`,
)
  .replace('IF (OLD.permission', `IF ${TAKEN_OVER} OR OLD.tracks <> NEW.tracks OR (OLD.permission`)
  .replaceAll(/'permission', (OLD|NEW)\.permission,/g, `$& 'tracks', $1.tracks,`);

const HAS_ROOM_WITH_KEYS = HAS_ROOM.replace('is_plain boolean', 'of_key uuid, is_plain boolean').replace(
  'AND plain)',
  'AND api_key_id IS NOT DISTINCT FROM of_key AND (plain OR plain_for_key))',
);

/** Share links that were made with a limited API key end with it. At most one of each key is plain. They may permit tracks. */
export const SHARE_LINKS: Topic = {
  up: [
    `ALTER TABLE share_links
       ADD api_key_id uuid CONSTRAINT share_links_api_key_id_fkey REFERENCES api_keys ON DELETE CASCADE,
       ADD plain_for_key boolean NOT NULL DEFAULT false,
       ADD tracks boolean NOT NULL DEFAULT false`,
    `CREATE INDEX share_links_api_key_id_idx ON share_links (api_key_id) WHERE api_key_id IS NOT NULL`,
    `CREATE UNIQUE INDEX share_links_plain_for_key_key ON share_links (recording_id, permission, api_key_id)
       WHERE plain_for_key`,
    // Besides that of 1.0.0, which calls it during a rolling restart.
    HAS_ROOM_WITH_KEYS,

    `CREATE FUNCTION share_link_end(link share_links) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$ BEGIN
       IF link.api_key_id IS NULL THEN RETURN link.expires_at; END IF;
       RETURN LEAST(link.expires_at, (SELECT LEAST(expires_at, revoked_at) FROM api_keys WHERE id = link.api_key_id));
     END $$`,
    replacing(LOG_WITH_KEYS),
    'DROP TRIGGER share_links_log ON share_links',
    LOG_TRIGGER.replace('label,', 'label, tracks, api_key_id,'),

    // In order of id, like other writers, so that they cannot deadlock.
    triggerFunction(
      'pass_on_share_links',
      `UPDATE share_links SET api_key_id = NEW.replaced_by WHERE id IN (
         SELECT id FROM share_links WHERE api_key_id = NEW.id ORDER BY id FOR NO KEY UPDATE);`,
    ),
    `CREATE TRIGGER api_keys_pass_on_share_links AFTER UPDATE OF replaced_by ON api_keys
       FOR EACH ROW WHEN (OLD.replaced_by IS NULL AND NEW.replaced_by IS NOT NULL) EXECUTE FUNCTION pass_on_share_links()`,
  ],
  down: [
    'DROP FUNCTION pass_on_share_links CASCADE',
    // 1.0.0 would open them for ever.
    'DELETE FROM share_links WHERE api_key_id IS NOT NULL',
    'DROP TRIGGER share_links_log ON share_links',
    replacing(LOG),
    LOG_TRIGGER,
    'DROP FUNCTION share_link_end, has_room_for_share_link(uuid, text, uuid, boolean, integer)',
    'ALTER TABLE share_links DROP api_key_id, DROP plain_for_key, DROP tracks',
  ],
};
