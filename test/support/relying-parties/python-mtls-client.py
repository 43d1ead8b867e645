"""A client that uses requests and authenticates with a TLS certificate, to which its tokens are bound (RFC 8705).

Usage: python-mtls-client.py ADDRESS CLIENT_ID CERTIFICATE KEY AUTHORITIES. A server that requests certificates must
listen at the address. Prints the results as JSON.
"""
import json
import sys

import requests

address, client_id, certificate, key, authorities = sys.argv[1:]
with_certificate, without = requests.Session(), requests.Session()
for session in (with_certificate, without):
    session.verify = authorities
    session.trust_env = False
with_certificate.cert = (certificate, key)
form = {"grant_type": "client_credentials", "client_id": client_id, "scope": "read"}

issued = with_certificate.post(f"{address}/o/token/", data=form, timeout=10)
assert issued.ok, issued.text
token = issued.json()["access_token"]
bearer = {"Authorization": f"Bearer {token}"}
introspected = with_certificate.post(
    f"{address}/o/introspect/", data={"client_id": client_id, "token": token}, timeout=10
).json()
print(
    json.dumps(
        {
            "token without the certificate": without.post(f"{address}/o/token/", data=form, timeout=10).status_code,
            "API": with_certificate.get(f"{address}/users/", headers=bearer, timeout=10).status_code,
            "API without the certificate": without.get(f"{address}/users/", headers=bearer, timeout=10).status_code,
            "thumbprint": introspected.get("cnf", {}).get("x5t#S256"),
        }
    )
)
