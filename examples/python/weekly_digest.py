"""Writes an email about the meetings of the last seven days, for a program such as sendmail.

python3 weekly_digest.py team@example.com | sendmail -t
"""
import datetime, json, os, sys, urllib.parse, urllib.request

if len(sys.argv) < 2:
    sys.exit(__doc__)
API = os.environ.get("API", "http://localhost:3000/api/v1")
week = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=7)


def get(path, **query):
    url = f"{API}{path}?{urllib.parse.urlencode(query)}"
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {os.environ['KEY']}"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)


meetings, cursor = [], {}
while cursor is not None:
    page = get("/recordings", limit=100, status="COMPLETED", date_from=week.isoformat(), **cursor)
    for listed in page["data"]:
        recording = get(f"/recordings/{listed['id']}")["data"]
        topics = recording["summary"]["topics"]
        points = [f"  - {key['point']}" for topic in topics for key in topic["keyPoints"]]
        date = (recording["startedAt"] or recording["createdAt"])[:10]
        meetings.append("\n".join([f"{recording['title']} ({date})", *points[:5]]))
    following = page["pagination"]["next_cursor"]
    cursor = {"cursor": following} if following else None

print(f"To: {sys.argv[1]}\nSubject: {len(meetings)} meetings this week")
print("Content-Type: text/plain; charset=utf-8\n")
print("\n\n".join(meetings) or "There were none.")
