import * as second from '@modelcontextprotocol/client';
import { auth as firstAuth } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';
import { approve } from '../support/authorize-requests.ts';
import { DOCUMENT_URL } from '../support/client-documents.ts';
import { mcpScene, NATIVE_REDIRECT_URI, type McpScene } from '../support/mcp-server.ts';
import type { TestUser } from '../support/running-service.ts';

type Provider = second.OAuthClientProvider & { readonly kept: Kept };

/** What the application keeps for the SDK. */
interface Kept {
  address?: URL;
  verifier?: string;
  tokens?: second.StoredOAuthTokens | undefined;
  client?: second.StoredOAuthClientInformation | undefined;
  discovered?: second.OAuthDiscoveryState | undefined;
}

/** A client of one SDK, in one revision of the protocol. */
interface Connection {
  readonly revision: string | undefined;
  call(tool: string): Promise<string>;
  /** Redeems the code in the address to which the user's browser has returned. */
  finish(returned: URL): Promise<void>;
  close(): Promise<void>;
}
type Connect = (resource: string, provider: Provider) => Connection & { connect(): Promise<void> };

const INFO = { name: 'test', version: '1.0.0' };

function secondSdk(mode: second.VersionNegotiationMode): Connect {
  return (resource, provider) => {
    const client = new second.Client(INFO, { versionNegotiation: { mode } });
    const open = () => new second.StreamableHTTPClientTransport(new URL(resource), { authProvider: provider });
    let transport = open();
    return {
      get revision() {
        return client.getNegotiatedProtocolVersion();
      },
      connect: () => client.connect((transport = open())),
      call: async (name) => textOf(await client.callTool({ name })),
      finish: ({ searchParams }) => transport.finishAuth(searchParams),
      close: () => client.close(),
    };
  };
}

const firstSdk: Connect = (resource, provider) => {
  const client = new FirstClient(INFO);
  const authProvider = provider as unknown as NonNullable<Parameters<typeof firstAuth>[0]>;
  const open = () => new FirstTransport(new URL(resource), { authProvider });
  let transport = open();
  return {
    get revision() {
      return transport.protocolVersion;
    },
    connect: () => client.connect((transport = open())),
    async call(name) {
      try {
        return textOf(await client.callTool({ name }));
      } catch (error) {
        if (!String(error).includes('403 after trying upscoping')) throw error;
        // It refreshes its token, whose scope stays the same. Applications have to forget the token.
        provider.kept.tokens = undefined;
        expect(await firstAuth(authProvider, { serverUrl: resource, scope: 'notes:read notes:write' })).to.equal(
          'REDIRECT',
        );
        throw new Error('Unauthorized', { cause: error });
      }
    },
    finish: ({ searchParams }) => transport.finishAuth(searchParams.get('code') ?? ''),
    close: () => client.close(),
  };
};

function textOf(result: object): string {
  const { content } = result as { readonly content: readonly { readonly text: string }[] };
  return content.map(({ text }) => text).join();
}

const SDKS: Readonly<Record<string, { readonly connect: Connect; readonly revision: string }>> = {
  'the SDK of version 2 and revision 2026-07-28': { connect: secondSdk('auto'), revision: '2026-07-28' },
  'the SDK of version 2 and revision 2025-11-25': { connect: secondSdk('legacy'), revision: '2025-11-25' },
  'the SDK of version 1': { connect: firstSdk, revision: '2025-11-25' },
};

for (const [name, { connect, revision }] of Object.entries(SDKS)) {
  describe(`An MCP client on ${name}`, () => {
    let scene: McpScene;
    let user: TestUser;
    let provider: Provider;
    let connection: ReturnType<Connect>;

    beforeEach(async () => {
      scene = await mcpScene();
      user = await scene.running.addUser();
      arrive({ client: { client_id: (await scene.addNativeClient()).id, issuer: scene.running.origin() } });
    });
    afterEach(async () => {
      await connection.close();
      await scene.close();
    });

    function arrive(as: Parameters<typeof providerFor>[0]): void {
      provider = providerFor(as);
      connection = connect(scene.resource, provider);
    }

    /** Lets the user authorize what `request` needs, and repeats it. */
    async function authorized<T>(request: () => Promise<T>): Promise<T> {
      const refused = await request().catch((error: unknown) => error);
      expect(String(refused)).to.match(/Unauthorized/);
      const { address } = provider.kept;
      await connection.finish(await approve(scene.running, user, address ?? ''));
      return request();
    }

    it('finds the server through the resource, and gets a token for that resource only', async () => {
      await authorized(() => connection.connect());
      expect(connection.revision).to.equal(revision);
      expect(await connection.call('echo')).to.match(/^user [^n]/);
      const { searchParams } = provider.kept.address ?? new URL('none:');
      expect(searchParams.get('resource')).to.equal(scene.resource);
      expect(searchParams.get('code_challenge_method')).to.equal('S256');
      expect(provider.kept.tokens).to.include({ token_type: 'Bearer' });
      const elsewhere = { authorization: `Bearer ${provider.kept.tokens?.access_token}` };
      expect((await scene.running.get('/users/', elsewhere)).status, 'the token at another resource').to.equal(401);
    });

    it('refreshes its token when the server refuses it', async () => {
      await authorized(() => connection.connect());
      const { tokens, address } = provider.kept;
      provider.kept.tokens = { ...(tokens as second.StoredOAuthTokens), access_token: 'expired' };
      expect(await connection.call('echo')).to.match(/^user /);
      expect(provider.kept.tokens.access_token).not.to.equal('expired');
      expect(provider.kept.tokens.refresh_token).not.to.equal(tokens?.refresh_token);
      expect(provider.kept.address, 'no new authorization').to.equal(address);
    });

    it('asks the user for the scope that a tool needs', async () => {
      await authorized(() => connection.connect());
      expect(provider.kept.tokens?.scope).to.equal('notes:read');
      expect(await authorized(() => connection.call('shout'))).to.equal('WRITTEN');
      expect(provider.kept.tokens?.scope).to.equal('notes:read notes:write');
    });

    it('asks the user again after its tokens were revoked', async () => {
      await authorized(() => connection.connect());
      await revokeTokens();
      expect(await authorized(() => connection.call('echo'))).to.match(/^user /);
    });

    async function revokeTokens(): Promise<void> {
      const { tokens, client } = provider.kept;
      const { json: metadata } = await scene.running.get('/.well-known/oauth-authorization-server');
      const { pathname } = new URL(String(metadata?.['revocation_endpoint']));
      const body = { token: tokens?.refresh_token ?? '', client_id: client?.client_id ?? '' };
      expect((await scene.running.post(pathname, body)).status).to.equal(200);
      provider.kept.tokens = { ...(tokens as second.StoredOAuthTokens), access_token: 'expired' };
    }

    const newcomers = {
      'by a document': { as: { clientMetadataUrl: DOCUMENT_URL }, id: /^https:\/\/app\.example\/oauth\/client\.json$/ },
      'by dynamic registration': { as: {}, id: /^(?!https).{40,}$/ },
    };
    for (const [how, { as, id }] of Object.entries(newcomers)) {
      it(`is served without a registration by hand, ${how}`, async () => {
        arrive(as);
        await authorized(() => connection.connect());
        expect(provider.kept.client?.client_id).to.match(id);
        provider.kept.tokens = { ...(provider.kept.tokens as second.StoredOAuthTokens), access_token: 'expired' };
        expect(await connection.call('echo')).to.match(/^user [^n]/);
        expect(await authorized(() => connection.call('shout'))).to.equal('WRITTEN');
        await revokeTokens();
        expect(await authorized(() => connection.call('echo'))).to.match(/^user [^n]/);
      });
    }
  });
}

/** What the application keeps, and how it introduces itself: by what it was told, or by the address of its document. */
function providerFor({ client, clientMetadataUrl }: Pick<Kept, 'client'> & { clientMetadataUrl?: string }): Provider {
  const kept: Kept = { client };
  return {
    kept,
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    redirectUrl: NATIVE_REDIRECT_URI,
    clientMetadata: { redirect_uris: [NATIVE_REDIRECT_URI], token_endpoint_auth_method: 'none' },
    clientInformation: () => kept.client,
    saveClientInformation: (information) => void (kept.client = information),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
    redirectToAuthorization: (address) => void (kept.address = address),
    discoveryState: () => kept.discovered,
    saveDiscoveryState: (found) => void (kept.discovered = found),
    invalidateCredentials(scope) {
      if (scope === 'all' || scope === 'tokens') kept.tokens = undefined;
    },
  };
}
