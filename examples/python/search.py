"""Searches everything that was said, and prints the moments.

python3 search.py glove '"winter routes"'
"""
import html, os, sys
from meeting_recording_client import Client

if len(sys.argv) < 2:
    sys.exit(__doc__)
client = Client(os.environ.get("API", "http://localhost:3000"), os.environ["KEY"])


def clock(seconds):
    whole = int(seconds)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"


for recording in client.list("/recordings/search", params={"q": " ".join(sys.argv[1:])}):
    print(f"{recording['title']} ({recording['id']})")
    for match in recording["matches"]:
        moment = "" if match["start"] is None else f"{clock(match['start'])} "
        speaker = f"{match['speaker']}: " if match["speaker"] else ""
        # Snippets are HTML, in which matches are marked.
        snippet = match["snippet"].replace("<mark>", "*").replace("</mark>", "*")
        print(f"  {moment}{speaker}{html.unescape(snippet)}")
