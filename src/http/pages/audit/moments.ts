/** An instant to be read by people and by `<time>`. Auditors compare seconds, so it has them. */
export interface Moment {
  readonly iso: string;
  readonly text: string;
}

/** @param milliseconds since the epoch */
export function toMoment(milliseconds: number): Moment {
  const iso = new Date(milliseconds).toISOString();
  return { iso, text: `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC` };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z?$/;

/** What a field of a browser sends, or an ISO 8601 time, taken as UTC; in milliseconds since the epoch. Undefined when it is none. */
export function parseMoment(text: string): number | undefined {
  if (!DAY.test(text) && !TIME.test(text)) return undefined;
  const time = Date.parse(DAY.test(text) || text.endsWith('Z') ? text : `${text}Z`);
  return Number.isNaN(time) || time < 0 ? undefined : time;
}
