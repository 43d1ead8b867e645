import * as sdk2 from '@modelcontextprotocol/client';
import { auth as firstAuth } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';
import { approve } from '../support/authorize-requests.ts';
import { DOCUMENT_URL } from '../support/client-documents.ts';
import { startMcpScene, NATIVE_REDIRECT_URI, type McpScene } from '../support/mcp-server.ts';
import type { TestUser } from '../support/running-service.ts';

type Provider = sdk2.OAuthClientProvider & { readonly storage: StoredState };

/** The state that the application stores for the SDK. */
interface StoredState {
  authorizationUrl?: URL;
  verifier?: string;
  tokens?: sdk2.StoredOAuthTokens | undefined;
  client?: sdk2.StoredOAuthClientInformation | undefined;
  discovery?: sdk2.OAuthDiscoveryState | undefined;
}

/** A client that uses one SDK and one revision of the protocol. */
interface Connection {
  readonly revision: string | undefined;
  call(tool: string): Promise<string>;
  /** Redeems the code in the callback URL. */
  finish(callback: URL): Promise<void>;
  close(): Promise<void>;
}
type Connect = (resource: string, provider: Provider) => Connection & { connect(): Promise<void> };

const CLIENT_INFO = { name: 'test', version: '1.0.0' };

function connectWithSecondSdk(mode: sdk2.VersionNegotiationMode): Connect {
  return (resource, provider) => {
    const client = new sdk2.Client(CLIENT_INFO, { versionNegotiation: { mode } });
    const openTransport = () => new sdk2.StreamableHTTPClientTransport(new URL(resource), { authProvider: provider });
    let transport = openTransport();
    return {
      get revision() {
        return client.getNegotiatedProtocolVersion();
      },
      connect: () => client.connect((transport = openTransport())),
      call: async (name) => resultText(await client.callTool({ name })),
      finish: ({ searchParams }) => transport.finishAuth(searchParams),
      close: () => client.close(),
    };
  };
}

const connectWithFirstSdk: Connect = (resource, provider) => {
  const client = new FirstClient(CLIENT_INFO);
  const authProvider = provider as unknown as NonNullable<Parameters<typeof firstAuth>[0]>;
  const openTransport = () => new FirstTransport(new URL(resource), { authProvider });
  let transport = openTransport();
  return {
    get revision() {
      return transport.protocolVersion;
    },
    connect: () => client.connect((transport = openTransport())),
    async call(name) {
      try {
        return resultText(await client.callTool({ name }));
      } catch (error) {
        if (!String(error).includes('403 after trying upscoping')) throw error;
        // The SDK refreshes its token, but keeps the scope. To get more access, the application must delete the token.
        provider.storage.tokens = undefined;
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

function resultText(result: object): string {
  const { content } = result as { readonly content: readonly { readonly text: string }[] };
  return content.map(({ text }) => text).join();
}

const SDKS: Readonly<Record<string, { readonly connect: Connect; readonly revision: string }>> = {
  'SDK version 2 and protocol revision 2026-07-28': { connect: connectWithSecondSdk('auto'), revision: '2026-07-28' },
  'SDK version 2 and protocol revision 2025-11-25': { connect: connectWithSecondSdk('legacy'), revision: '2025-11-25' },
  'SDK version 1': { connect: connectWithFirstSdk, revision: '2025-11-25' },
};

for (const [name, { connect, revision }] of Object.entries(SDKS)) {
  describe(`An MCP client that uses ${name}`, () => {
    let scene: McpScene;
    let user: TestUser;
    let provider: Provider;
    let connection: ReturnType<Connect>;

    beforeEach(async () => {
      scene = await startMcpScene();
      user = await scene.running.addUser();
      createClient({ client: { client_id: (await scene.addNativeClient()).id, issuer: scene.running.origin() } });
    });
    afterEach(async () => {
      await connection.close();
      await scene.close();
    });

    function createClient(options: Parameters<typeof createProvider>[0]): void {
      provider = createProvider(options);
      connection = connect(scene.resource, provider);
    }

    /** Lets the user authorize the access that `request` needs, and repeats the request. */
    async function withAuthorization<T>(request: () => Promise<T>): Promise<T> {
      const refusal = await request().catch((error: unknown) => error);
      expect(String(refusal)).to.match(/Unauthorized/);
      const { authorizationUrl } = provider.storage;
      await connection.finish(await approve(scene.running, user, authorizationUrl ?? ''));
      return request();
    }

    it('finds the server through the resource, and gets a token only for that resource', async () => {
      await withAuthorization(() => connection.connect());
      expect(connection.revision).to.equal(revision);
      expect(await connection.call('echo')).to.match(/^user [^n]/);
      const { searchParams } = provider.storage.authorizationUrl ?? new URL('none:');
      expect(searchParams.get('resource')).to.equal(scene.resource);
      expect(searchParams.get('code_challenge_method')).to.equal('S256');
      expect(provider.storage.tokens).to.include({ token_type: 'Bearer' });
      const bearer = { authorization: `Bearer ${provider.storage.tokens?.access_token}` };
      expect(
        (await scene.running.get('/users/', bearer)).status,
        'the token is invalid for a different resource',
      ).to.equal(401);
    });

    it('refreshes its token when the server refuses it', async () => {
      await withAuthorization(() => connection.connect());
      const { tokens, authorizationUrl } = provider.storage;
      provider.storage.tokens = { ...(tokens as sdk2.StoredOAuthTokens), access_token: 'expired' };
      expect(await connection.call('echo')).to.match(/^user /);
      expect(provider.storage.tokens.access_token).not.to.equal('expired');
      expect(provider.storage.tokens.refresh_token).not.to.equal(tokens?.refresh_token);
      expect(provider.storage.authorizationUrl, 'no new authorization').to.equal(authorizationUrl);
    });

    it('asks the user for the scope that a tool needs', async () => {
      await withAuthorization(() => connection.connect());
      expect(provider.storage.tokens?.scope).to.equal('notes:read');
      expect(await withAuthorization(() => connection.call('shout'))).to.equal('WRITTEN');
      expect(provider.storage.tokens?.scope).to.equal('notes:read notes:write');
    });

    it('asks the user again after its tokens have been revoked', async () => {
      await withAuthorization(() => connection.connect());
      await revokeTokens();
      expect(await withAuthorization(() => connection.call('echo'))).to.match(/^user /);
    });

    async function revokeTokens(): Promise<void> {
      const { tokens, client } = provider.storage;
      const { json: metadata } = await scene.running.get('/.well-known/oauth-authorization-server');
      const { pathname } = new URL(String(metadata?.['revocation_endpoint']));
      const body = { token: tokens?.refresh_token ?? '', client_id: client?.client_id ?? '' };
      expect((await scene.running.post(pathname, body)).status).to.equal(200);
      provider.storage.tokens = { ...(tokens as sdk2.StoredOAuthTokens), access_token: 'expired' };
    }

    const unregisteredClients = {
      'with a metadata document': {
        options: { clientMetadataUrl: DOCUMENT_URL },
        id: /^https:\/\/app\.example\/oauth\/client\.json$/,
      },
      'with dynamic registration': { options: {}, id: /^(?!https).{40,}$/ },
    };
    for (const [registration, { options, id }] of Object.entries(unregisteredClients)) {
      it(`completes the flow without a manual registration, ${registration}`, async () => {
        createClient(options);
        await withAuthorization(() => connection.connect());
        expect(provider.storage.client?.client_id).to.match(id);
        provider.storage.tokens = { ...(provider.storage.tokens as sdk2.StoredOAuthTokens), access_token: 'expired' };
        expect(await connection.call('echo')).to.match(/^user [^n]/);
        expect(await withAuthorization(() => connection.call('shout'))).to.equal('WRITTEN');
        await revokeTokens();
        expect(await withAuthorization(() => connection.call('echo'))).to.match(/^user [^n]/);
      });
    }
  });
}

/** Creates a provider that stores its state. It has a registered client, the URL of a metadata document, or neither. */
function createProvider({
  client,
  clientMetadataUrl,
}: Pick<StoredState, 'client'> & { clientMetadataUrl?: string }): Provider {
  const storage: StoredState = { client };
  return {
    storage,
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    redirectUrl: NATIVE_REDIRECT_URI,
    clientMetadata: { redirect_uris: [NATIVE_REDIRECT_URI], token_endpoint_auth_method: 'none' },
    clientInformation: () => storage.client,
    saveClientInformation: (information) => void (storage.client = information),
    tokens: () => storage.tokens,
    saveTokens: (tokens) => void (storage.tokens = tokens),
    saveCodeVerifier: (verifier) => void (storage.verifier = verifier),
    codeVerifier: () => storage.verifier ?? '',
    redirectToAuthorization: (authorizationUrl) => void (storage.authorizationUrl = authorizationUrl),
    discoveryState: () => storage.discovery,
    saveDiscoveryState: (discovery) => void (storage.discovery = discovery),
    invalidateCredentials(scope) {
      if (scope === 'all' || scope === 'tokens') storage.tokens = undefined;
    },
  };
}
