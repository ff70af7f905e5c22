"""Imports a meeting of another tool: captions or a transcript, without media.

python3 import_captions.py meeting.vtt "Weekly sync"
"""
import json, os, pathlib, sys, urllib.error, urllib.request, uuid

if len(sys.argv) < 2:
    sys.exit(__doc__)
API = os.environ.get("API", "http://localhost:3000/api/v1")
file = pathlib.Path(sys.argv[1])
title = sys.argv[2] if len(sys.argv) > 2 else file.name


def call(method, path, body=None, content_type="application/json"):
    headers = {"Authorization": f"Bearer {os.environ['KEY']}", "Content-Type": content_type}
    if method == "POST":
        headers["Idempotency-Key"] = str(uuid.uuid4())
    request = urllib.request.Request(API + path, body, headers, method=method)
    with urllib.request.urlopen(request) as response:
        return json.load(response)["data"]


created = call("POST", "/recordings", json.dumps({"title": title, "media": "none"}).encode())
recording = f"/recordings/{created['id']}"
try:
    # The content of the file says what it is.
    imported = call("PUT", f"{recording}/transcript", file.read_bytes(), "application/octet-stream")
except urllib.error.HTTPError as error:
    call("DELETE", recording)
    sys.exit(json.load(error)["error"]["message"])
print(f"{imported['segmentsCount']} segments of {', '.join(imported['speakers'])}", file=sys.stderr)
print(created["id"])
