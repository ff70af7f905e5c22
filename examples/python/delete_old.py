"""Deletes recordings that are older than some days. Without --yes, it only says which.

python3 delete_old.py 365 [--yes]
"""
import datetime, os, sys
from meeting_recording_client import Client

if len(sys.argv) < 2:
    sys.exit(__doc__)
days = int(sys.argv[1])
if days < 1:
    sys.exit("Say after how many days")
deletes = "--yes" in sys.argv
date_to = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=days)
client = Client(os.environ.get("API", "http://localhost:3000"), os.environ["KEY"])

count = 0
for recording in client.list("/recordings", params={"date_to": date_to}):
    if deletes:
        client.delete(f"/recordings/{recording['id']}")
    print(recording["id"], recording["createdAt"][:10], recording["title"])
    count += 1
print(f"Deleted {count}" if deletes else f"Would delete {count}: add --yes", file=sys.stderr)
