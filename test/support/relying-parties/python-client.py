"""A relying party that uses Authlib: logs a user in, checks the ID token, and shows the claims of the user as JSON.

Usage: python-client.py ISSUER CLIENT_ID CLIENT_SECRET PORT. Prints the address that it serves. It has a single user.
"""
import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlsplit

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, JsonWebToken
from authlib.oidc.core import CodeIDToken

issuer, client_id, client_secret, port = sys.argv[1:]
provider = requests.get(f"{issuer}/.well-known/openid-configuration", timeout=10).json()
pending = {}


def session():
    return OAuth2Session(
        client_id,
        client_secret,
        scope="openid profile email",
        redirect_uri=f"http://localhost:{port}/callback",
        code_challenge_method="S256",
    )


def begin_login():
    pending["verifier"] = generate_token(48)
    pending["nonce"] = generate_token(32)
    address, pending["state"] = session().create_authorization_url(
        provider["authorization_endpoint"], code_verifier=pending["verifier"], nonce=pending["nonce"]
    )
    return address


def finish_login(path):
    client = session()
    token = client.fetch_token(
        provider["token_endpoint"],
        authorization_response=path,
        state=pending["state"],
        code_verifier=pending["verifier"],
    )
    keys = JsonWebKey.import_key_set(requests.get(provider["jwks_uri"], timeout=10).json())
    claims = JsonWebToken(provider["id_token_signing_alg_values_supported"]).decode(
        token["id_token"],
        keys,
        claims_cls=CodeIDToken,
        claims_options={"iss": {"value": issuer}, "aud": {"value": client_id}},
        claims_params={"nonce": pending["nonce"], "client_id": client_id, "access_token": token["access_token"]},
    )
    claims.validate(leeway=5)
    user = client.get(provider["userinfo_endpoint"]).json()
    refreshed = client.refresh_token(provider["token_endpoint"], refresh_token=token["refresh_token"])
    introspected = introspect(refreshed["access_token"])["token_introspection"]
    return {
        "id_token": claims,
        "userinfo": user,
        "refreshed": "id_token" in refreshed,
        "introspected": introspected["active"],
    }


def introspect(token):
    """Returns the claims of a signed introspection response (RFC 9701)."""
    response = requests.post(
        provider["introspection_endpoint"],
        auth=(client_id, client_secret),
        data={"token": token},
        headers={"Accept": "application/token-introspection+jwt"},
        timeout=10,
    )
    keys = JsonWebKey.import_key_set(requests.get(provider["jwks_uri"], timeout=10).json())
    claims = JsonWebToken(provider["introspection_signing_alg_values_supported"]).decode(
        response.text, keys, claims_options={"iss": {"value": issuer}, "aud": {"value": client_id}}
    )
    claims.validate()
    assert claims.header["typ"] == "token-introspection+jwt"
    return claims


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        if urlsplit(self.path).path == "/callback":
            body = json.dumps(finish_login(self.path)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(body)
        else:
            self.send_response(302)
            self.send_header("Location", begin_login())
            self.end_headers()

    def log_message(self, *args):
        pass


server = HTTPServer(("127.0.0.1", int(port)), Handler)
print(f"serving relying party on http://localhost:{port}", flush=True)
server.serve_forever()
