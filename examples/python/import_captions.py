"""Imports a meeting of another tool: captions or a transcript, without media.

python3 import_captions.py meeting.vtt "Weekly sync"
"""
import os, pathlib, sys
from meeting_recording_client import ApiError, Client

if len(sys.argv) < 2:
    sys.exit(__doc__)
client = Client(os.environ.get("API", "http://localhost:3000"), os.environ["KEY"])
file = pathlib.Path(sys.argv[1])
title = sys.argv[2] if len(sys.argv) > 2 else file.name

created = client.post("/recordings", body={"title": title, "media": "none"})
recording = f"/recordings/{created['id']}"
try:
    # The content of the file says what it is.
    imported = client.put(f"{recording}/transcript", body=file.read_bytes())
except ApiError as error:
    client.delete(recording)
    sys.exit(error.message)
print(f"{imported['segmentsCount']} segments of {', '.join(imported['speakers'])}", file=sys.stderr)
print(created["id"])
