import { Counter, Histogram, type Registry } from 'prom-client';
import type { CommitObserver } from '../../event-store/engines/group-commit.ts';
import type { Ticks } from '../ports.ts';

/** In seconds. An fsync takes a fraction of a millisecond on a good disk, and tens of milliseconds on a bad one. */
const COMMIT_BUCKETS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];
const GROUP_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Measures the duration and size of commits. Only one is in progress at a time. */
export function createCommitMeter(registry: Registry, ticks: Ticks): CommitObserver {
  const registers = [registry];
  const durations = new Histogram({
    name: 'grantlog_log_commit_duration_seconds',
    help: 'Time from the start of a write to the log until it is durable.',
    buckets: COMMIT_BUCKETS,
    registers,
  });
  const groups = new Histogram({
    name: 'grantlog_log_commit_appends',
    help: 'Appends that became durable with one write.',
    buckets: GROUP_BUCKETS,
    registers,
  });
  const events = new Counter({
    name: 'grantlog_log_events_total',
    help: 'Events appended since startup.',
    registers,
  });
  let beganAt = 0;
  return {
    onBegin() {
      beganAt = ticks();
    },
    onDurable(appends, eventCount) {
      durations.observe((ticks() - beganAt) / 1000);
      groups.observe(appends);
      events.inc(eventCount);
    },
  };
}
