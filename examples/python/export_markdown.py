"""Writes every transcript as a Markdown file, with the summary before it.

python3 export_markdown.py FOLDER
"""
import json, os, pathlib, re, sys, urllib.parse, urllib.request

API = os.environ.get("API", "http://localhost:3000/api/v1")
folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "export")


def get(path, **query):
    url = f"{API}{path}?{urllib.parse.urlencode(query)}"
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {os.environ['KEY']}"})
    with urllib.request.urlopen(request) as response:
        return response.read().decode()


folder.mkdir(parents=True, exist_ok=True)
query = {"limit": 100, "status": "COMPLETED"}
while True:
    page = json.loads(get("/recordings", **query))
    for listed in page["data"]:
        path = f"/recordings/{listed['id']}"
        recording = json.loads(get(path))["data"]
        if recording["transcription"]["status"] != "completed":
            continue
        parts = [get(f"{path}/transcript", format="md")]
        if recording["summary"]["status"] == "completed":
            parts.insert(0, get(f"{path}/summary", format="md"))
        title = re.sub(r"[^\w -]+", "-", recording["title"])[:80]
        file = folder / f"{recording['createdAt'][:10]} {title} {recording['id'][-6:]}.md"
        file.write_text("\n".join(parts), encoding="utf-8")
        print(file.name)
    if not page["pagination"]["next_cursor"]:
        break
    query["cursor"] = page["pagination"]["next_cursor"]
