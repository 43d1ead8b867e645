import { expect } from 'chai';
import type { ProfileInput, ProfileChange } from '../../src/accounts/profile-change.ts';
import type { EventOf } from '../../src/domain/events.ts';
import { PROFILE_FIELDS } from '../../src/domain/profile.ts';
import { unseal } from '../../src/platform/keys/seals.ts';
import type { User } from '../../src/projections/users.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('a profile change', () => {
  let running: RunningService;
  beforeEach(async () => {
    running = await runningService();
    await running.addUser('ada');
  });
  afterEach(() => running.close());

  const ada = (): User => running.service().projections.users.findByName('ada') ?? expect.fail();
  const change = (changes: ProfileChange, user = ada()) =>
    running.service().accounts.changeProfile(user, changes, OPERATOR);
  const changeFields = (profile: ProfileInput) => change({ profile });

  it('keeps the fields that it does not contain, removes those that it empties, and normalizes values', async () => {
    await changeFields({ nickname: ' Countess ', zoneinfo: 'europe/london', locality: 'London' });
    await change({ email: 'ada@example.org' });
    await changeFields({ nickname: ' ', country: 'United Kingdom' });
    expect(ada()).to.deep.include({
      email: 'ada@example.org',
      profile: { zoneinfo: 'Europe/London', locality: 'London', country: 'United Kingdom' },
    });
  });

  it('records one event, or none if no normalized value changes', async () => {
    const headBefore = running.log.head();
    await change({ firstName: 'Ada', profile: { phone_number: '+44 20 7946 0123' } });
    await change({ firstName: 'Ada', profile: { phone_number: '+44 (0)20-7946-0123', nickname: '' } });
    const newEvents = (await running.events()).slice(headBefore);
    expect(newEvents.map(({ type }) => type)).to.deep.equal(['UserProfileChanged']);
  });

  it('is refused completely if any value is invalid, with an error for each invalid value', async () => {
    const headBefore = running.log.head();
    expect(await change({ email: 'nowhere', profile: { nickname: 'Countess', birthdate: 'then' } }))
      .to.have.nested.property('errors')
      .that.has.all.keys('email', 'birthdate');
    expect(running.log.head()).to.equal(headBefore);
    expect(ada().profile).to.deep.equal({});
  });

  it('records no value in plain text, and destroys the key when the account is erased', async () => {
    const { userId } = ada();
    const values = Object.fromEntries(
      PROFILE_FIELDS.filter((field) => !['birthdate', 'zoneinfo', 'locale', 'phone_number'].includes(field)).map(
        (field) => [
          field,
          ['profile', 'picture', 'website'].includes(field) ? `https://${field}.example/` : `my ${field}`,
        ],
      ),
    );
    await changeFields({
      ...values,
      birthdate: '1815-12-10',
      zoneinfo: 'Europe/London',
      locale: 'en-GB',
      phone_number: '+442079460123',
    });
    expect(Object.keys(ada().profile)).to.have.members([...PROFILE_FIELDS]);
    const records = (await running.events()).map(({ record }) => record).join('\n');
    for (const value of Object.values(ada().profile)) expect(records).not.to.include(value);
    const { data } = (await running.events()).find(({ type }) => type === 'UserProfileChanged') ?? expect.fail();
    const key = running.service().personalKeys.find(userId) ?? expect.fail();
    expect(unseal((data as EventOf<'UserProfileChanged'>['data']).sealed, key, userId)).to.include('my nickname');
    await running.service().accounts.erase(ada(), OPERATOR);
    expect(running.service().personalKeys.find(userId)).to.equal(undefined);
  });

  it('loses no field when two changes overlap: the later one is merged or refused', async () => {
    const user = ada();
    const outcomes = await Promise.allSettled([
      change({ profile: { nickname: 'Countess' } }, user),
      change({ profile: { locality: 'London' } }, user),
    ]);
    const rejections = outcomes.filter(({ status }) => status === 'rejected');
    if (rejections.length > 0) await changeFields({ locality: 'London' });
    expect(ada().profile).to.deep.equal({ nickname: 'Countess', locality: 'London' });
  });
});
