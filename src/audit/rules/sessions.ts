import { afterTheEnd, finding, type FactRule } from '../rule.ts';

export const sessionRules: readonly FactRule[] = [
  {
    name: 'a-session-lives-once',
    says: 'A session starts once, and ends at most once, after it started and for the user who started it.',
    check({ event: { type, data }, recorded: { stream } }, { sessions }) {
      const session = sessions.in(stream);
      if (type === 'SessionStarted') return session === undefined ? undefined : finding('the session was started before');
      if (type !== 'SessionEnded') return undefined;
      if (session === undefined) return finding('the end of a session that never started');
      if (session.ended) return finding('the session was ended before');
      return session.userId === data.userId ? undefined : finding(`the session is user ${session.userId}'s, not user ${data.userId}'s`);
    },
  },
  {
    name: 'only-active-users-log-in',
    says:
      'No session starts for an account that does not exist, is disabled or was erased; up to a minute after that is a notice: it was ' +
      'decided before, and is dead on arrival.',
    check({ event: { type, data }, recorded }, { users }) {
      if (type !== 'SessionStarted') return undefined;
      const user = users.find(data.userId);
      if (user === undefined) return finding(`user ${data.userId} never had an account`);
      if (user.status === 'active' || user.ended === null) return undefined;
      return afterTheEnd(recorded, user.ended.at, `the account of user ${data.userId} is ${user.status}`);
    },
  },
];
