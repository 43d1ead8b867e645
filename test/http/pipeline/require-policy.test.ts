import type { RouterContext } from '@koa/router';
import { Router } from '@koa/router';
import { expect } from 'chai';
import * as fc from 'fast-check';
import Koa from 'koa';
import { bearerToken } from '../../../src/http/pipeline/bearer-token.ts';
import type { PolicyContext } from '../../../src/http/pipeline/policy-context.ts';
import { requirePolicy } from '../../../src/http/pipeline/require-policy.ts';
import { allOf, anyOf, objectCheck } from '../../../src/policy/combinators.ts';
import { declareForRoute, PolicyDeclarationError } from '../../../src/policy/declaration.ts';
import { allScopes, alternativeScopes, authenticatedOrScope, readWrite } from '../../../src/policy/policies.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { withServer } from '../../support/with-server.ts';
import { anObject, aMethod, aPolicy, aPrincipal, outcomeOf, SETTINGS } from '../../support/policy-arbitraries.ts';
import { unchecked } from '../../support/unchecked.ts';

interface Note {
  readonly owner: string;
}

const notes: ReadonlyMap<string, Note> = new Map([
  ['1', { owner: 'alice' }],
  ['2', { owner: 'bob' }],
]);
const ownerOnly = objectCheck(({ userId }, note: Note) => note.owner === userId);

/** A valid token is a list of scopes, joined by dots. It begins with a dot if a client acts on its own behalf. */
const lookup = {
  find(token: string) {
    if (token === 'dead') return undefined;
    return { clientId: 'client', userId: token.startsWith('.') ? null : 'alice', scope: token.split('.') };
  },
};

interface ApiResponse {
  readonly status: number;
  readonly challenge: string | null;
  readonly body: unknown;
}

async function sendRequest(origin: string, path: string, token?: string, method = 'GET'): Promise<ApiResponse> {
  const response = await fetch(origin + path, {
    method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  const text = await response.text();
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate'),
    body:
      response.headers.get('content-type')?.startsWith('application/json') === true && text !== ''
        ? JSON.parse(text)
        : text,
  };
}

/** Creates an application with one router and no error handling, like a simple resource server. */
function createApplication(declare: (router: Router) => void): Koa {
  const app = new Koa();
  app.silent = true;
  const router = new Router();
  declare(router);
  app.use(bearerToken(lookup)).use(router.routes());
  return app;
}

function createGuardedApp(policy: Policy): Koa {
  return createApplication((router) =>
    router.all('/', requirePolicy(policy), (ctx) => {
      ctx.body = 'done';
    }),
  );
}

const NO_PERMISSION = 'You do not have permission to perform this action.';

describe('requirePolicy', () => {
  it('responds with 401 with a plain challenge if no token was sent', async () => {
    await withServer(createGuardedApp(allScopes([])), async (origin) => {
      expect(await sendRequest(origin, '/')).to.deep.equal({
        status: 401,
        challenge: 'Bearer realm="api"',
        body: { detail: 'Authentication credentials were not provided.' },
      });
    });
  });

  it('responds with 401 and invalid_token for an invalid token, even if the policy accepts sessions', async () => {
    for (const policy of [
      allScopes([]),
      authenticatedOrScope([]),
      anyOf(unsatisfiablePolicy(), authenticatedOrScope([])),
    ]) {
      await withServer(createGuardedApp(policy), async (origin) => {
        expect(await sendRequest(origin, '/', 'dead')).to.deep.equal({
          status: 401,
          challenge: 'Bearer realm="api", error="invalid_token"',
          body: { detail: 'The access token is invalid or expired.' },
        });
      });
    }
  });

  it('responds with 403 and lists every required scope if the scope is insufficient', async () => {
    await withServer(createGuardedApp(readWrite(SETTINGS, ['groups'])), async (origin) => {
      expect(await sendRequest(origin, '/', 'read', 'POST')).to.deep.equal({
        status: 403,
        challenge: 'Bearer error="insufficient_scope", scope="groups write"',
        body: { detail: NO_PERMISSION, required_scopes: ['groups', 'write'] },
      });
      expect(await sendRequest(origin, '/', 'read.groups')).to.deep.equal({
        status: 200,
        challenge: null,
        body: 'done',
      });
    });
  });

  it('responds with 403 and reports the missing CSRF token of a session, if the policy accepts sessions', async () => {
    const sendWithSession = async (policy: Policy): Promise<readonly unknown[]> => {
      const ctx: PolicyContext = {
        method: 'POST',
        status: 404,
        body: undefined,
        set: () => {},
        state: { principal: { kind: 'anonymous' }, authorization: 'absent', sessionRefused: 'csrf-token-missing' },
      };
      await requirePolicy<PolicyContext>(policy)(ctx, async () => {
        ctx.status = 200;
      });
      return [ctx.status, ctx.body];
    };
    const missingTokenDetail =
      "CSRF token missing: requests from a web session must include the session's token in the X-CSRF-Token header.";
    const sessionPolicies = [authenticatedOrScope(['read']), authenticatedOrScope({ GET: ['read'] })];
    for (const policy of [...sessionPolicies, anyOf(...sessionPolicies, allScopes([]))]) {
      expect(await sendWithSession(policy)).to.deep.equal([403, { detail: missingTokenDetail }]);
    }
    const unauthenticatedBody = { detail: 'Authentication credentials were not provided.' };
    for (const policy of [allScopes([]), allOf(authenticatedOrScope([]), allScopes([]))]) {
      expect(await sendWithSession(policy)).to.deep.equal([401, unauthenticatedBody]);
    }
  });

  it('lists the shortest alternative in the challenge, and all alternatives in the body', async () => {
    await withServer(
      createGuardedApp(alternativeScopes({ POST: [['post', 'widget'], ['create']] })),
      async (origin) => {
        expect(await sendRequest(origin, '/', 'post', 'POST')).to.deep.equal({
          status: 403,
          challenge: 'Bearer error="insufficient_scope", scope="create"',
          body: {
            detail: NO_PERMISSION,
            required_scopes: ['create'],
            required_alternate_scopes: [['post', 'widget'], ['create']],
          },
        });
        expect(await sendRequest(origin, '/', 'post.widget.more', 'POST')).to.include({ status: 200 });
      },
    );
  });

  it('responds with 403 without a challenge if no scope would satisfy the policy', async () => {
    await withServer(createGuardedApp(alternativeScopes({ GET: [['read']] })), async (origin) => {
      expect(await sendRequest(origin, '/', 'read', 'DELETE')).to.deep.equal({
        status: 403,
        challenge: null,
        body: { detail: NO_PERMISSION },
      });
      expect(await sendRequest(origin, '/', 'read', 'HEAD')).to.include({ status: 200 });
      expect(await sendRequest(origin, '/', undefined, 'DELETE')).to.include({ status: 401 });
    });
  });

  it('never calls the handler of a denied request', async () => {
    await fc.assert(
      fc.asyncProperty(aPolicy, aMethod, aPrincipal, anObject, async (policy, method, principal, object) => {
        let isHandlerCalled = false;
        const ctx: PolicyContext = { method, status: 404, body: undefined, set: () => {}, state: { principal } };
        await requirePolicy<PolicyContext>(policy, { loadObject: () => object })(ctx, async () => {
          isHandlerCalled = true;
        });
        expect(isHandlerCalled).to.equal(
          object !== undefined && outcomeOf(policy({ method, principal, object })) === 'allowed',
        );
        if (!isHandlerCalled) expect(ctx.status).to.be.oneOf([401, 403, 404]);
      }),
    );
  });
});

describe('requirePolicy with an object', () => {
  let lookupCount = 0;
  const loadNote = (ctx: RouterContext): Note | undefined => {
    lookupCount += 1;
    return notes.get(ctx.params['id'] ?? '');
  };
  const app = createApplication((router) => {
    router.get('/notes/:id', requirePolicy(allOf(allScopes(['read']), ownerOnly), { loadObject: loadNote }), (ctx) => {
      ctx.body = ctx.state['object'];
    });
    router.delete(
      '/notes/:id',
      requirePolicy(anyOf(allScopes(['admin']), ownerOnly), {
        loadObject: async (ctx) => notes.get(ctx.params['id'] ?? ''),
      }),
      (ctx) => {
        ctx.body = ctx.state['object'];
      },
    );
  });

  it('loads the object once, and passes it to the handler', async () => {
    await withServer(app, async (origin) => {
      lookupCount = 0;
      expect(await sendRequest(origin, '/notes/1', 'read'))
        .to.include({ status: 200 })
        .and.to.have.deep.property('body', { owner: 'alice' });
      expect(lookupCount).to.equal(1);
    });
  });

  it('refuses callers before loading the object if no object could satisfy the policy', async () => {
    await withServer(app, async (origin) => {
      lookupCount = 0;
      for (const id of ['1', '2', 'none']) {
        expect(await sendRequest(origin, `/notes/${id}`)).to.include({ status: 401 });
        expect(await sendRequest(origin, `/notes/${id}`, 'write')).to.include({ status: 403 });
      }
      expect(lookupCount).to.equal(0);
    });
  });

  it("responds with 404 for a missing object, and with 403 for another user's object", async () => {
    await withServer(app, async (origin) => {
      expect(await sendRequest(origin, '/notes/none', 'read')).to.deep.equal({
        status: 404,
        challenge: null,
        body: { detail: 'Not found.' },
      });
      expect(await sendRequest(origin, '/notes/2', 'read')).to.deep.equal({
        status: 403,
        challenge: null,
        body: { detail: NO_PERMISSION },
      });
    });
  });

  it('responds with 403 to a client that acts on its own behalf only if the policy requires a user', async () => {
    await withServer(app, async (origin) => {
      const denial = { status: 403, challenge: null, body: { detail: NO_PERMISSION } };
      expect(await sendRequest(origin, '/notes/1', '.read')).to.deep.equal(denial);
      expect(await sendRequest(origin, '/notes/1', '.admin', 'DELETE')).to.include({ status: 200 });
    });
  });

  it('loads the object under anyOf only for callers who need it', async () => {
    await withServer(app, async (origin) => {
      expect(await sendRequest(origin, '/notes/1', 'read', 'DELETE')).to.include({ status: 200 });
      expect(await sendRequest(origin, '/notes/2', 'admin', 'DELETE')).to.include({ status: 200 });
      expect(await sendRequest(origin, '/notes/2', 'read', 'DELETE')).to.deep.equal({
        status: 403,
        challenge: 'Bearer error="insufficient_scope", scope="admin"',
        body: { detail: NO_PERMISSION, required_scopes: ['admin'] },
      });
    });
  });
});

describe('requirePolicy, if misused,', () => {
  it('rejects anything that is not a policy, and names the route in the error', () => {
    for (const value of [undefined, null, 'all-scopes', {}, allScopes, () => ({ allowed: true })]) {
      expect(() => declareForRoute('GET /music/', () => requirePolicy(unchecked(value)))).to.throw(
        PolicyDeclarationError,
        /^GET \/music\/: /,
      );
    }
  });

  it('refuses an object check on a route that loads no object', () => {
    for (const policy of [ownerOnly, allOf(allScopes([]), ownerOnly), anyOf(allScopes([]), ownerOnly)]) {
      expect(() => requirePolicy(policy)).to.throw(PolicyDeclarationError);
      expect(() => requirePolicy(policy, { loadObject: unchecked('note') })).to.throw(PolicyDeclarationError);
    }
  });

  it('fails closed with a plain 500 if the principal is missing or malformed', async () => {
    for (const principal of [
      undefined,
      null,
      'alice',
      {},
      { kind: 'admin' },
      { kind: 'bearer' },
      { kind: 'bearer', scope: 'read' },
      { kind: 'session' },
    ]) {
      const app = new Koa();
      app.silent = true;
      app.use(async (ctx, next) => {
        ctx.state['principal'] = principal;
        await next();
      });
      app.use(requirePolicy(allScopes([]))).use((ctx) => {
        ctx.body = 'done';
      });
      await withServer(app, async (origin) => {
        expect(await sendRequest(origin, '/')).to.deep.equal({
          status: 500,
          challenge: null,
          body: 'Internal Server Error',
        });
      });
    }
  });

  it('treats every invalid verdict of an untyped policy as a denial', async () => {
    for (const verdict of [
      Promise.resolve({ allowed: true }),
      {},
      { allowed: false, reason: 'unheard of' },
      { allowed: false, reason: 'undecided' },
      { allowed: false, reason: 'insufficient-scope' },
      { allowed: false, reason: 'insufficient-scope', alternatives: [] },
    ]) {
      const policy = Object.assign(() => verdict, { requirements: () => [], needsObject: false });
      await withServer(createGuardedApp(unchecked(policy)), async (origin) => {
        expect(await sendRequest(origin, '/', 'read')).to.include({ status: 403 });
      });
    }
  });
});

/** Creates a policy that no token satisfies, so that the other alternative decides. */
function unsatisfiablePolicy(): Policy {
  return alternativeScopes({ TRACE: [['none']] });
}
