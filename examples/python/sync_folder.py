"""Keeps a folder with the transcript of every recording up to date, and notes where it is: run it every hour, or after a week.

python3 sync_folder.py FOLDER
"""
import datetime, os, pathlib, sys
from meeting_recording_client import Client, RecordingNotFoundError

client = Client(os.environ.get("API", "http://localhost:3000"), os.environ["KEY"])
folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "transcripts")
folder.mkdir(parents=True, exist_ok=True)
noted = folder / ".cursor"

changed = set()
if noted.exists():
    where = {"cursor": noted.read_text()}
else:
    where = {"since": datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=1)}
    changed = {recording["id"] for recording in client.list("/recordings")}
more = True
while more:
    page = client.request("GET", "/events", params={**where, "limit": 100})
    changed |= {event["data"]["recording_id"] for event in page["data"] if "recording_id" in event["data"]}
    where, more = {"cursor": page["pagination"]["next_cursor"]}, page["pagination"]["has_more"]
for recording in changed:
    file = folder / f"{recording}.txt"
    try:
        if client.get(f"/recordings/{recording}")["transcription"]["status"] == "completed":
            text = client.text(f"/recordings/{recording}/transcript", params={"format": "txt"})
            file.write_text(text, encoding="utf-8")
    except RecordingNotFoundError:
        file.unlink(missing_ok=True)
noted.write_text(where["cursor"])
