"""Writes an email about the meetings of the last seven days, for a program such as sendmail.

python3 weekly_digest.py team@example.com | sendmail -t
"""
import datetime, os, sys
from meeting_recording_client import Client

if len(sys.argv) < 2:
    sys.exit(__doc__)
client = Client(os.environ.get("API", "http://localhost:3000"), os.environ["KEY"])
week = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=7)

meetings = []
for listed in client.list("/recordings", params={"status": "COMPLETED", "date_from": week}):
    recording = client.get(f"/recordings/{listed['id']}")
    topics = recording["summary"]["topics"]
    points = [f"  - {key['point']}" for topic in topics for key in topic["keyPoints"]]
    date = (recording["startedAt"] or recording["createdAt"])[:10]
    meetings.append("\n".join([f"{recording['title']} ({date})", *points[:5]]))

print(f"To: {sys.argv[1]}\nSubject: {len(meetings)} meetings this week")
print("Content-Type: text/plain; charset=utf-8\n")
print("\n\n".join(meetings) or "There were none.")
