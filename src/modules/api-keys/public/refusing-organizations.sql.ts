/**
 * The ids of the organizations of its user that do not accept the key `k` of `api_keys`: it never expires, or works
 * longer than they permit, which does not concern sessions; nobody who signed in with the provider they demand has made
 * it; or it connects a client that is not among those they list. Mostly, no organization limits which keys reach it. `min` shows that by one look into an index, whatever
 * PostgreSQL expects; with `EXISTS`, it reads the whole table where it expects to find a row at once, as before the first
 * `ANALYZE`. A day is 24 hours here, whatever the time zone of the connection.
 */
export const REFUSING_ORGANIZATIONS = `CASE WHEN (SELECT min(coalesce(api_key_max_days, length(sso_provider), cardinality(oauth_clients))) FROM organizations) IS NOT NULL THEN ARRAY(
    SELECT m.organization_id FROM organization_members m JOIN organizations o ON o.id = m.organization_id
    WHERE m.user_id = k.user_id AND (
      o.api_key_max_days IS NOT NULL AND k.signed_in_by IS NULL
        AND (k.expires_at IS NULL OR k.expires_at > k.created_at + o.api_key_max_days * interval '24 hours')
      OR o.sso_provider IS NOT NULL AND o.sso_provider IS DISTINCT FROM k.provider
      OR k.oauth_client IS NOT NULL AND k.oauth_client <> ALL (o.oauth_clients))
  ) ELSE '{}' END`;
