"""Searches everything that was said, and prints the moments.

python3 search.py glove '"winter routes"'
"""
import html, json, os, sys, urllib.parse, urllib.request

if len(sys.argv) < 2:
    sys.exit(__doc__)
API = os.environ.get("API", "http://localhost:3000/api/v1")
query = {"q": " ".join(sys.argv[1:]), "limit": 100, "offset": 0}


def clock(seconds):
    whole = int(seconds)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"


while True:
    url = f"{API}/recordings/search?{urllib.parse.urlencode(query)}"
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {os.environ['KEY']}"})
    with urllib.request.urlopen(request) as response:
        page = json.load(response)
    for recording in page["data"]:
        print(f"{recording['title']} ({recording['id']})")
        for match in recording["matches"]:
            moment = "" if match["start"] is None else f"{clock(match['start'])} "
            speaker = f"{match['speaker']}: " if match["speaker"] else ""
            # Snippets are HTML, in which matches are marked.
            snippet = match["snippet"].replace("<mark>", "*").replace("</mark>", "*")
            print(f"  {moment}{speaker}{html.unescape(snippet)}")
    if not page["pagination"]["has_more"]:
        break
    query["offset"] += query["limit"]
