// Loaded before the server (`--import`): its wall clock is off by as many seconds as CLOCK_OFFSET_FILE says at the
// time. The monotonic clock stays as it is, as it does when an operator or NTP sets the time.
import { readFileSync } from 'node:fs';

const SystemDate = Date;

function now() {
  return SystemDate.now() + Number(readFileSync(process.env.CLOCK_OFFSET_FILE, 'utf8')) * 1000;
}

globalThis.Date = class extends SystemDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [now()] : parts));
  }

  static now() {
    return now();
  }
};
