# The image of PostgreSQL runs this once, when it has created a new volume: the service's role owns its database, and is no
# superuser. Those only come from within the container: docker compose exec postgres psql -U postgres meetings
psql --no-psqlrc --username postgres --dbname postgres --set ON_ERROR_STOP=1 <<'SQL'
\set password `cat /run/secrets/postgres_password`
CREATE ROLE meetings LOGIN PASSWORD :'password';
-- To see who else is connected: mrs status.
GRANT pg_monitor TO meetings;
CREATE DATABASE meetings OWNER meetings;
ALTER ROLE postgres PASSWORD NULL;
SQL
