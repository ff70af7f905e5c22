"""Prints events as they happen, until Ctrl-C.

python3 follow_events.py 'recording.*,transcript.completed'
"""
import os, sys
from meeting_recording_client import Client

client = Client(os.environ.get("API", "http://localhost:3000"), os.environ["KEY"])
try:
    for event in client.events(types=sys.argv[1] if len(sys.argv) > 1 else None):
        recording = event["data"].get("recording") or {}
        print(event["timestamp"], event["type"], recording.get("title", ""), flush=True)
except KeyboardInterrupt:
    pass
