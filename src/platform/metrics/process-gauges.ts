import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, type Registry } from 'prom-client';

/** The event loop delay in seconds, by quantile. */
export type EventLoopDelay = Readonly<Record<'0.5' | '0.99' | '1', number>>;

/** Measurements of the process. */
export interface ProcessReadings {
  /** Returns the event loop delay since the previous call. */
  eventLoopDelay(): EventLoopDelay;
  /** Returns the same delay, without starting a new measurement. */
  peekEventLoopDelay(): EventLoopDelay;
  residentBytes(): number;
  cpuSeconds(): number;
  /** Returns the time since startup, independent of the wall clock; 0 if it is unknown. */
  uptimeSeconds(): number;
  /** Seconds since the epoch. */
  readonly startedAt: number;
}

const NO_DELAY: EventLoopDelay = { '0.5': 0, '0.99': 0, '1': 0 };

/** No measurements, the default for a service that does not run as a server. */
export const NO_PROCESS: ProcessReadings = {
  eventLoopDelay: () => NO_DELAY,
  peekEventLoopDelay: () => NO_DELAY,
  residentBytes: () => 0,
  cpuSeconds: () => 0,
  uptimeSeconds: () => 0,
  startedAt: 0,
};

const RESOLUTION_MILLISECONDS = 20;
const NANOSECONDS_PER_SECOND = 1e9;

/** Starts measuring this process. A timer samples the event loop fifty times a second. */
export function watchProcess(startedAt: number): ProcessReadings {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MILLISECONDS });
  delay.enable();
  /** Node's measurement includes the sampling interval. */
  const toSeconds = (nanoseconds: number): number =>
    Math.max(0, nanoseconds / NANOSECONDS_PER_SECOND - RESOLUTION_MILLISECONDS / 1000);
  const currentDelay = (): EventLoopDelay => ({
    '0.5': toSeconds(delay.percentile(50)),
    '0.99': toSeconds(delay.percentile(99)),
    '1': toSeconds(delay.max),
  });
  return {
    eventLoopDelay() {
      const result = currentDelay();
      delay.reset();
      return result;
    },
    peekEventLoopDelay: currentDelay,
    residentBytes: () => process.memoryUsage.rss(),
    cpuSeconds() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
    uptimeSeconds: () => process.uptime(),
    startedAt,
  };
}

export function exposeProcess(
  registry: Registry,
  { eventLoopDelay, residentBytes, cpuSeconds, startedAt }: ProcessReadings,
): void {
  const registers = [registry];
  const delay = new Gauge({
    name: 'grantlog_event_loop_delay_seconds',
    help: 'Delay of the event loop since the last scrape.',
    labelNames: ['quantile'],
    registers,
    collect() {
      for (const [quantile, seconds] of Object.entries(eventLoopDelay())) delay.set({ quantile }, seconds);
    },
  });
  const gauge = (name: string, help: string, read: () => number): void => {
    const newGauge: Gauge = new Gauge({ name, help, registers, collect: () => newGauge.set(read()) });
  };
  gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', residentBytes);
  gauge('process_start_time_seconds', 'Start time of the process since the epoch in seconds.', () => startedAt);
  const cpu = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'User and system CPU time spent in seconds.',
    registers,
    collect() {
      cpu.reset();
      cpu.inc(cpuSeconds());
    },
  });
}
