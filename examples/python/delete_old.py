"""Deletes recordings that are older than some days. Without --yes, it only says which.

python3 delete_old.py 365 [--yes]
"""
import datetime, json, os, sys, urllib.parse, urllib.request

if len(sys.argv) < 2:
    sys.exit(__doc__)
API = os.environ.get("API", "http://localhost:3000/api/v1")
days = int(sys.argv[1])
if days < 1:
    sys.exit("Say after how many days")
deletes = "--yes" in sys.argv
date_to = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=days)


def call(method, path):
    headers = {"Authorization": f"Bearer {os.environ['KEY']}"}
    request = urllib.request.Request(API + path, headers=headers, method=method)
    with urllib.request.urlopen(request) as response:
        return json.load(response)


count, query = 0, {"limit": 100, "date_to": date_to.isoformat()}
while query:
    page = call("GET", f"/recordings?{urllib.parse.urlencode(query)}")
    for recording in page["data"]:
        if deletes:
            call("DELETE", f"/recordings/{recording['id']}")
        print(recording["id"], recording["createdAt"][:10], recording["title"])
        count += 1
    cursor = page["pagination"]["next_cursor"]
    query = {**query, "cursor": cursor} if cursor else None
print(f"Deleted {count}" if deletes else f"Would delete {count}: add --yes", file=sys.stderr)
