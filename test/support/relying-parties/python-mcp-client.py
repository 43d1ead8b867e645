"""An MCP client that uses the official Python SDK.

Arguments: the address of the MCP server, the redirect URI, the client's id or "" to register, the URL of the client's
metadata document or "". Whenever the SDK requests an authorization, prints the address that the user must open, and
reads the address to which the browser has returned. At the end, prints the results as JSON.
"""

import asyncio
import json
import sys
from urllib.parse import parse_qs, urlsplit

from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.client import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata

RESOURCE, REDIRECT_URI, CLIENT_ID, DOCUMENT_URL = sys.argv[1:]


class Storage:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def open_browser(address):
    print(address, flush=True)


async def browser_returned():
    line = await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    values = {name: value for name, [value] in parse_qs(urlsplit(line.strip()).query).items()}
    return AuthorizationCodeResult(code=values["code"], state=values["state"], iss=values["iss"])


async def main():
    storage = Storage()
    if CLIENT_ID:
        storage.client = OAuthClientInformationFull(
            client_id=CLIENT_ID, redirect_uris=[REDIRECT_URI], token_endpoint_auth_method="none"
        )
    provider = OAuthClientProvider(
        server_url=RESOURCE,
        client_metadata=OAuthClientMetadata(
            client_name="Test", redirect_uris=[REDIRECT_URI], token_endpoint_auth_method="none"
        ),
        storage=storage,
        redirect_handler=open_browser,
        callback_handler=browser_returned,
        client_metadata_url=DOCUMENT_URL or None,
    )
    seen = {}
    async with create_mcp_http_client(auth=provider) as http:
        async with Client(streamable_http_client(RESOURCE, http_client=http)) as client:

            async def call(tool):
                return (await client.call_tool(tool, {})).content[0].text

            seen["echo"] = await call("echo")
            seen["scope"] = storage.tokens.scope
            first = storage.tokens
            provider.context.token_expiry_time = 1
            seen["echo after a refresh"] = await call("echo")
            seen["refreshed"] = storage.tokens.access_token != first.access_token
            seen["shout"] = await call("shout")
            seen["scope after step-up"] = storage.tokens.scope
            metadata = provider.context.oauth_metadata
            revocation = {"token": storage.tokens.refresh_token, "client_id": storage.client.client_id}
            async with create_mcp_http_client() as plain:
                seen["revocation"] = (await plain.post(str(metadata.revocation_endpoint), data=revocation)).status_code
            provider.context.token_expiry_time = 1
            seen["echo after a revocation"] = await call("echo")
            seen["client"] = storage.client.client_id
    print(json.dumps(seen), flush=True)


asyncio.run(main())
