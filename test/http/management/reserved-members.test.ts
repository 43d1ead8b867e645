import { expect } from 'chai';
import { addManager, type Manager } from '../../support/management.ts';
import { runningService, type RunningService } from '../../support/running-service.ts';

describe('A request to the management API with a member named __proto__', () => {
  let running: RunningService;
  let manager: Manager;

  beforeEach(async () => {
    running = await runningService();
    manager = await addManager(running);
  });
  afterEach(() => running.close());

  for (const [location, path, body] of [
    ['the body', '/groups/', '{"name": "staff", "__proto__": {"title": "Staff"}}'],
    ['a setting value', '/settings/scopeClaims/', '{"value": "{\\"read\\": [], \\"__proto__\\": []}"}'],
    ['a nested object', '/clients/', '{"name": "App", "jwks": {"keys": [{"__proto__": {"kty": "RSA"}}]}}'],
  ] as const)
    it(`is refused and has no effect if the member is in ${location}`, async () => {
      const initialHead = running.service().log.head();
      const method = path.startsWith('/settings/') ? 'PUT' : 'POST';
      const { status, text } = await manager.call(method, path, body);
      expect([status, text.includes('__proto__')], text).to.deep.equal([400, true]);
      expect(running.service().log.head()).to.equal(initialHead);
    });

  it('is refused if the member is the name of a scope', async () => {
    const { status, text } = await manager.call('POST', '/scopes/', { name: '__proto__', description: 'Nothing' });
    expect([status, text.includes('no member may be named __proto__')], text).to.deep.equal([400, true]);
    expect(
      running
        .service()
        .scopeChanges.all()
        .map(({ name }) => name),
    ).not.to.include('__proto__');
  });
});
