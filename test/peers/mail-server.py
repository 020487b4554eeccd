"""A mail server by aiosmtpd (RFC 5321), for a test: what it takes it prints, a JSON line each. It knows one password."""

import json
import signal
import ssl
import sys
from email import message_from_bytes, policy

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult

security, certificate, key, port = sys.argv[1:]


class Taker:
    async def handle_DATA(self, server, session, envelope):
        message = message_from_bytes(envelope.content, policy=policy.default)
        taken = {
            "tls": server.transport.get_extra_info("ssl_object") is not None,
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "headers": dict(message.items()),
            "text": message.get_content(),
        }
        print(json.dumps(taken), flush=True)
        return "250 OK"


def knows(server, session, envelope, mechanism, data):
    is_known = (data.login, data.password) == (b"platen", b"the password")
    return AuthResult(success=is_known, handled=False)


def context():
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(certificate, key)
    return made


class MailServer(Controller):
    def factory(self):
        if security == "plain":
            return SMTP(self.handler)
        starttls = {"tls_context": context(), "require_starttls": True} if security == "starttls" else {}
        return SMTP(
            self.handler,
            auth_required=True,
            auth_require_tls=security == "starttls",
            authenticator=knows,
            **starttls,
        )


# Before the server's thread, which then does not get them either.
ends = {signal.SIGTERM, signal.SIGINT}
signal.pthread_sigmask(signal.SIG_BLOCK, ends)
implicit = context() if security == "tls" else None
MailServer(Taker(), hostname="127.0.0.1", port=int(port), ssl_context=implicit).start()
print("ready", flush=True)
signal.sigwait(ends)
