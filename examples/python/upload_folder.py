"""Uploads the recordings in a folder, except those that are there already.

python3 upload_folder.py FOLDER
"""
import json, os, pathlib, sys, urllib.error, urllib.request

if len(sys.argv) < 2:
    sys.exit(__doc__)
API = os.environ.get("API", "http://localhost:3000/api/v1")
folder = pathlib.Path(sys.argv[1])


def call(method, path, body=None, content_type="application/json", size=None):
    headers = {"Authorization": f"Bearer {os.environ['KEY']}", "Content-Type": content_type}
    if size is not None:
        headers["Content-Length"] = str(size)
    request = urllib.request.Request(API + path, body, headers, method=method)
    with urllib.request.urlopen(request) as response:
        return json.load(response)


uploaded, cursor = set(), None
while True:
    page = call("GET", "/recordings?limit=100" + (f"&cursor={cursor}" if cursor else ""))
    uploaded |= {one["title"] for one in page["data"] if one["status"] != "ERROR"}
    cursor = page["pagination"]["next_cursor"]
    if not cursor:
        break

for file in sorted(folder.iterdir()):
    if not file.is_file() or file.name.startswith(".") or file.name in uploaded:
        continue
    created = call("POST", "/recordings", json.dumps({"title": file.name}).encode())["data"]
    try:
        with file.open("rb") as content:
            size = file.stat().st_size
            call("PUT", f"/recordings/{created['id']}/media", content, "application/octet-stream", size)
        print(created["id"], file.name)
    except urllib.error.HTTPError as error:
        print(file.name, json.load(error)["error"]["message"], file=sys.stderr)
