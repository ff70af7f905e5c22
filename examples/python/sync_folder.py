"""Keeps a folder with the transcript of every recording up to date, and notes where it is: run it every hour, or after a week.

python3 sync_folder.py FOLDER
"""
import datetime, json, os, pathlib, sys, urllib.error, urllib.parse, urllib.request

API = os.environ.get("API", "http://localhost:3000/api/v1")
folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "transcripts")
folder.mkdir(parents=True, exist_ok=True)
noted = folder / ".cursor"


def get(path, read=json.load, **query):
    url = f"{API}{path}?{urllib.parse.urlencode({name: value for name, value in query.items() if value})}"
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {os.environ['KEY']}"})
    with urllib.request.urlopen(request) as response:
        return read(response)


changed, page, cursor = set(), None, noted.read_text() if noted.exists() else ""
since = (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=1)).isoformat()
while not cursor and (page is None or page["pagination"]["next_cursor"]):
    page = get("/recordings", limit=100, cursor=page and page["pagination"]["next_cursor"])
    changed |= {recording["id"] for recording in page["data"]}
more = True
while more:
    page = get("/events", limit=100, cursor=cursor, since="" if cursor else since)
    changed |= {event["data"]["recording_id"] for event in page["data"] if "recording_id" in event["data"]}
    cursor, more = page["pagination"]["next_cursor"], page["pagination"]["has_more"]
for recording in changed:
    file = folder / f"{recording}.txt"
    try:
        if get(f"/recordings/{recording}")["data"]["transcription"]["status"] == "completed":
            file.write_bytes(get(f"/recordings/{recording}/transcript", lambda body: body.read(), format="txt"))
    except urllib.error.HTTPError as error:
        if error.code != 404:
            raise
        file.unlink(missing_ok=True)
noted.write_text(cursor)
