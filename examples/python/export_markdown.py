"""Writes every transcript as a Markdown file, with the summary before it.

python3 export_markdown.py FOLDER
"""
import os, pathlib, re, sys
from meeting_recording_client import Client

client = Client(os.environ.get("API", "http://localhost:3000"), os.environ["KEY"])
folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "export")
folder.mkdir(parents=True, exist_ok=True)
markdown = {"format": "md"}

for listed in client.list("/recordings", params={"status": "COMPLETED"}):
    path = f"/recordings/{listed['id']}"
    recording = client.get(path)
    if recording["transcription"]["status"] != "completed":
        continue
    parts = [client.text(f"{path}/transcript", params=markdown)]
    if recording["summary"]["status"] == "completed":
        parts.insert(0, client.text(f"{path}/summary", params=markdown))
    title = re.sub(r"[^\w -]+", "-", recording["title"])[:80]
    file = folder / f"{recording['createdAt'][:10]} {title} {recording['id'][-6:]}.md"
    file.write_text("\n".join(parts), encoding="utf-8")
    print(file.name)
