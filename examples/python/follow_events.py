"""Prints events as they happen, until Ctrl-C.

python3 follow_events.py 'recording.*,transcript.completed'
"""
import http.client, json, os, sys, time, urllib.error, urllib.parse, urllib.request

API = os.environ.get("API", "http://localhost:3000/api/v1")
query = {"types": sys.argv[1]} if len(sys.argv) > 1 else {}


def messages():
    request = urllib.request.Request(f"{API}/events/stream?{urllib.parse.urlencode(query)}")
    request.add_header("Authorization", f"Bearer {os.environ['KEY']}")
    fields = {}
    # The service sends something every 15 seconds.
    with urllib.request.urlopen(request, timeout=45) as stream:
        for line in stream:
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name:
                fields[name] = value
            else:
                yield fields
                fields = {}


try:
    while True:
        try:
            for message in messages():
                query["cursor"] = message.get("id") or query.get("cursor", "")
                if message.get("event", "end") != "end":
                    event = json.loads(message["data"])
                    recording = event["data"].get("recording") or {}
                    print(event["timestamp"], event["type"], recording.get("title", ""), flush=True)
        except (OSError, http.client.HTTPException) as error:
            if isinstance(error, urllib.error.HTTPError) and error.code < 500:
                raise
        time.sleep(1)
except KeyboardInterrupt:
    pass
