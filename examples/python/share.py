"""Creates a share link that expires, with a password if PASSWORD is set, and prints its URL.

python3 share.py ID [DAYS]
"""
import datetime, json, os, sys, urllib.error, urllib.parse, urllib.request

if len(sys.argv) < 2:
    sys.exit(__doc__)
API = os.environ.get("API", "http://localhost:3000/api/v1")
days = float(sys.argv[2]) if len(sys.argv) > 2 else 7
expires_at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=days)
body = {"expires_at": expires_at.isoformat(), "password": os.environ.get("PASSWORD")}

request = urllib.request.Request(
    f"{API}/recordings/{urllib.parse.quote(sys.argv[1], safe='')}/share-link",
    json.dumps(body).encode(),
    {"Authorization": f"Bearer {os.environ['KEY']}", "Content-Type": "application/json"},
)
try:
    with urllib.request.urlopen(request) as response:
        print(json.load(response)["data"]["share_url"])
except urllib.error.HTTPError as error:
    sys.exit(json.load(error)["error"]["message"])
