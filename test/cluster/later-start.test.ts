import { expect } from 'chai';
import { createServiceNodes, type ServiceNodes } from '../support/postgres/service-nodes.ts';

describe('A node that starts on a log with an event written by a later release', function () {
  this.timeout(180_000);
  let nodes: ServiceNodes;

  beforeEach(async () => {
    nodes = await createServiceNodes();
  });
  afterEach(() => nodes.close());

  const EVENT = { version: 1, recordedAt: 0, actor: { kind: 'server' }, requestId: null, data: {} } as const;

  for (const [difference, type, version] of [
    ['an unknown event type', 'KeyCeremonyHeld', 1],
    ['a later version of an event type', 'GrantRevoked', 9],
  ] as const) {
    it(`refuses to start, and reports the type and the release that it needs: ${difference}`, async () => {
      const { service } = await nodes.open();
      await nodes.query(`insert into grantlog.event_types values ('${type}', ${version}, '9.4.0')`);
      const log = service.inspection.log;
      await log.append('ceremony-1', 'no-stream', [{ ...EVENT, type, version }]);
      const refusal: unknown = await nodes.open().catch((error: unknown) => error);
      expect(refusal).to.be.an('error').with.property('message').that.includes(`${type} version ${version}`);
      expect((refusal as Error).message)
        .to.include('written by release 9.4.0')
        .and.include('run that release');
    });
  }
});
