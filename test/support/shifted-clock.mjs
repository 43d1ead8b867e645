// Loaded before the server (`--import`). Shifts its wall clock by the number of seconds that CLOCK_OFFSET_FILE contains
// at the time. The monotonic clock is not affected, as when an operator or NTP sets the time.
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
