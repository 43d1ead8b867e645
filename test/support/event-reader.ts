/** A server-sent event as auditors get it: its position and its line. */
export interface SentEvent {
  readonly id: number;
  readonly data: string;
}

export interface EventReader {
  readonly response: Response;
  /** The next event; undefined when the stream has ended. */
  next(): Promise<SentEvent | undefined>;
  /** Events until `enough` is true of one, or the stream ends. */
  until(enough: (event: SentEvent) => boolean): Promise<readonly SentEvent[]>;
  /** All events that are complete within the next `bytes`; an incomplete one is dropped. */
  within(bytes: number): Promise<readonly SentEvent[]>;
  /** Disconnects, even in the middle of an event. */
  cut(): void;
}

const FIELDS = /^id: (\d+)\ndata: (.*)$/;

/** Reads `GET /o/events/` live, as an EventSource with a bearer token would. */
export async function readEvents(
  origin: string,
  token: string,
  from: { readonly lastEventId?: number; readonly query?: string } = {},
): Promise<EventReader> {
  const hangUp = new AbortController();
  const headers = new Headers({ authorization: `Bearer ${token}`, accept: 'text/event-stream' });
  if (from.lastEventId !== undefined) headers.set('last-event-id', String(from.lastEventId));
  const response = await fetch(new URL(`/o/events/${from.query ?? ''}`, origin), { headers, signal: hangUp.signal });
  const body = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let read = 0;

  async function more(): Promise<boolean> {
    const { done = true, value = '' } = (await body?.read()) ?? {};
    text += value;
    read += value.length;
    return !done;
  }

  function take(): SentEvent | undefined {
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, id, data] = FIELDS.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      if (id !== undefined && data !== undefined) return { id: Number(id), data };
    }
    return undefined;
  }

  async function next(): Promise<SentEvent | undefined> {
    for (;;) {
      const event = take();
      if (event !== undefined) return event;
      if (!(await more())) return undefined;
    }
  }

  return {
    response,
    next,
    cut: () => hangUp.abort(),

    async until(enough) {
      const seen: SentEvent[] = [];
      for (let event = await next(); event !== undefined; event = await next()) {
        seen.push(event);
        if (enough(event)) break;
      }
      return seen;
    },

    async within(bytes) {
      while (read < bytes && (await more())) {
        /* read on */
      }
      text = text.slice(0, Math.max(0, text.length - Math.max(0, read - bytes)));
      const seen: SentEvent[] = [];
      for (let event = take(); event !== undefined; event = take()) seen.push(event);
      return seen;
    },
  };
}
