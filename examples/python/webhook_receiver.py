"""Receives a webhook, and prints what happened.

WEBHOOK_SECRET=whsec_... PORT=8080 python3 webhook_receiver.py
"""
import base64, hashlib, hmac, http.server, json, os, time

SECRET = base64.b64decode(os.environ["WEBHOOK_SECRET"].replace("whsec_", "", 1))
TOLERANCE_SECONDS = 300


def is_signed(headers, body):
    identifier, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{identifier}.{timestamp}.".encode() + body
    own = b"v1," + base64.b64encode(hmac.new(SECRET, signed, hashlib.sha256).digest())
    # Two while the secret is being replaced.
    given = headers.get("webhook-signature", "").encode().split()
    return any(hmac.compare_digest(one, own) for one in given)


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        signed = is_signed(self.headers, body)
        self.send_response(204 if signed else 401)
        self.end_headers()
        if signed:
            event = json.loads(body)
            recording = event["data"].get("recording") or {}
            print(f"{event['type']} {recording.get('title', '')}".strip(), flush=True)

    def log_message(self, *_):
        """Only events are printed."""


http.server.ThreadingHTTPServer(("", int(os.environ.get("PORT", 8080))), Receiver).serve_forever()
