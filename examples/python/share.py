"""Creates a share link that expires, with a password if PASSWORD is set, and prints its URL.

python3 share.py ID [DAYS]
"""
import datetime, os, sys
from urllib.parse import quote
from meeting_recording_client import ApiError, Client

if len(sys.argv) < 2:
    sys.exit(__doc__)
client = Client(os.environ.get("API", "http://localhost:3000"), os.environ["KEY"])
days = float(sys.argv[2]) if len(sys.argv) > 2 else 7
expires_at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=days)
body = {"expires_at": expires_at.isoformat(), "password": os.environ.get("PASSWORD")}
try:
    print(client.post(f"/recordings/{quote(sys.argv[1], safe='')}/share-link", body=body)["share_url"])
except ApiError as error:
    sys.exit(error.message)
