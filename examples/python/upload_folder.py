"""Uploads the recordings in a folder, except those that are there already.

python3 upload_folder.py FOLDER
"""
import os, pathlib, sys
from meeting_recording_client import ApiError, Client, RecordingFailedError

if len(sys.argv) < 2:
    sys.exit(__doc__)
client = Client(os.environ.get("API", "http://localhost:3000"), os.environ["KEY"])
uploaded = {one["title"] for one in client.list("/recordings") if one["status"] != "ERROR"}

for file in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    if not file.is_file() or file.name.startswith(".") or file.name in uploaded:
        continue
    try:
        print(client.upload(file)["id"], file.name)
    except (ApiError, RecordingFailedError) as error:
        print(file.name, error, file=sys.stderr)
