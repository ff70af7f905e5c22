"""Receives a webhook, and prints what happened.

WEBHOOK_SECRET=whsec_... PORT=8080 python3 webhook_receiver.py
"""
import http.server, os
from meeting_recording_client import WebhookVerificationError, verify_webhook

SECRET = os.environ["WEBHOOK_SECRET"]


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            event = verify_webhook(body, self.headers, SECRET)
        except WebhookVerificationError:
            event = None
        self.send_response(204 if event else 401)
        self.end_headers()
        if event:
            recording = event["data"].get("recording") or {}
            print(f"{event['type']} {recording.get('title', '')}".strip(), flush=True)

    def log_message(self, *_):
        """Only events are printed."""


http.server.ThreadingHTTPServer(("", int(os.environ.get("PORT", 8080))), Receiver).serve_forever()
