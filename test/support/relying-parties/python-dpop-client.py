"""A client without a secret that uses requests and Authlib: private_key_jwt, pushed requests and DPoP.

Usage: python-dpop-client.py ISSUER CLIENT_ID REDIRECT_URI. Reads its private JWK as one line. Prints the address at
which the user authorizes it, and reads the address to which the browser is then redirected. Prints the results as JSON.
"""
import hashlib
import json
import sys
import time
from base64 import urlsafe_b64encode
from urllib.parse import parse_qs, urlencode, urlsplit

import requests
from authlib.common.security import generate_token
from authlib.jose import JsonWebKey, JsonWebSignature
from authlib.oauth2.rfc7523 import private_key_jwt_sign
from authlib.oauth2.rfc7636 import create_s256_code_challenge

issuer, client_id, redirect_uri = sys.argv[1:]
client_key = JsonWebKey.import_key(json.loads(sys.stdin.readline()))
provider = requests.get(f"{issuer}/.well-known/oauth-authorization-server", timeout=10).json()
nonces = {}


def new_key():
    return JsonWebKey.generate_key("EC", "P-256", is_private=True)


def proof(key, method, address, token=None):
    """Creates a DPoP proof (RFC 9449 §4.2)."""
    header = {"typ": "dpop+jwt", "alg": "ES256", "jwk": key.as_dict(is_private=False)}
    header["jwk"].pop("kid", None)
    claims = {"jti": generate_token(24), "htm": method, "htu": address, "iat": int(time.time())}
    if token is not None:
        claims["ath"] = urlsafe_b64encode(hashlib.sha256(token.encode()).digest()).rstrip(b"=").decode()
    if (key, address) in nonces:
        claims["nonce"] = nonces[key, address]
    # Not JsonWebToken, which sets the type "JWT".
    return JsonWebSignature(["ES256"]).serialize_compact(header, json.dumps(claims), key).decode()


def with_proof(key, method, address, token=None, **request):
    """Sends a request, and again with a nonce if the server demands one (RFC 9449 §8)."""
    for attempt in range(2):
        headers = {"DPoP": proof(key, method, address, token)}
        if token is not None:
            headers["Authorization"] = f"DPoP {token}"
        body = {"data": {**request["form"], **authentication()}} if "form" in request else {}
        response = requests.request(method, address, headers=headers, timeout=10, **body)
        if "DPoP-Nonce" in response.headers:
            nonces[key, address] = response.headers["DPoP-Nonce"]
        if response.status_code < 400 or attempt == 1 or "use_dpop_nonce" not in demand(response):
            return response


def demand(response):
    return response.headers.get("WWW-Authenticate", "") + response.text


def authentication():
    """Returns the parameters of an assertion (RFC 7523 §2.2) for the issuer, valid for a minute.

    By default, Authlib's assertions are for the token endpoint, and valid for an hour.
    """
    assertion = private_key_jwt_sign(client_key, client_id, token_endpoint=issuer, alg="ES256", expires_in=60)
    return {
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "client_assertion": assertion,
    }


key, other_key = new_key(), new_key()
verifier, state = generate_token(48), generate_token(32)
pushed = with_proof(
    key,
    "POST",
    provider["pushed_authorization_request_endpoint"],
    form={
        "response_type": "code",
        "redirect_uri": redirect_uri,
        "scope": "read",
        "state": state,
        "code_challenge": create_s256_code_challenge(verifier),
        "code_challenge_method": "S256",
    },
)
assert pushed.ok, pushed.text
query = urlencode({"client_id": client_id, "request_uri": pushed.json()["request_uri"]})
print(f"{provider['authorization_endpoint']}?{query}", flush=True)

callback = parse_qs(urlsplit(sys.stdin.readline().strip()).query)
assert callback["state"] == [state] and callback["iss"] == [issuer], callback
redemption = {
    "grant_type": "authorization_code",
    "code": callback["code"][0],
    "redirect_uri": redirect_uri,
    "code_verifier": verifier,
}
with_other_key = with_proof(other_key, "POST", provider["token_endpoint"], form=redemption)
redeemed = with_proof(key, "POST", provider["token_endpoint"], form=redemption)
assert redeemed.ok, redeemed.text
tokens = redeemed.json()

api = f"{issuer}/users/"
token = tokens["access_token"]
refreshed = with_proof(
    key,
    "POST",
    provider["token_endpoint"],
    form={"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]},
)
print(
    json.dumps(
        {
            "redeemed with another key": with_other_key.json()["error"],
            "token type": tokens["token_type"],
            "API": with_proof(key, "GET", api, token).status_code,
            "API as a bearer": requests.get(api, headers={"Authorization": f"Bearer {token}"}, timeout=10).status_code,
            "API with another key": with_proof(other_key, "GET", api, token).status_code,
            "refreshed": refreshed.json().get("token_type"),
        }
    )
)
