import { createForm, unreadableFormError } from './form.ts';
import { bodyError, requireUncompressed } from './page-form.ts';
import { readBody } from './read-body.ts';
import { header } from './request-head.ts';
import type { Handler } from './state.ts';
import { message } from '../../language/message.ts';

/** More than ten times the limit for a logo, so the form can show the size of a logo that is too large. */
const MAX_UPLOAD_BYTES = 262_144;
const MAX_PARTS = 20;

/** The name of the field that contains the file. */
const FILE_FIELD = 'logo';

/**
 * Reads a form that contains a file (RFC 7578): the fields into `ctx.state.form`, and the file into `ctx.state.file`.
 * The file name and the media type that the sender specified are ignored. Any other body is left to `readForm`.
 * @throws PageError 413 if the form is too large or arrives in too many small chunks, 415 if it is compressed, or 400
 *   if it is malformed or cut short
 */
export const readUpload: Handler = async (ctx, next) => {
  if (!ctx.is('multipart/form-data')) return next();
  requireUncompressed(ctx);
  const body = await readBody(ctx.req, MAX_UPLOAD_BYTES);
  if (typeof body === 'string') throw bodyError(body, MAX_UPLOAD_BYTES);
  const parts = await parse(body, header(ctx, 'content-type') ?? '');
  const fields = parts.flatMap(([name, value]) => (typeof value === 'string' ? [{ name, value }] : []));
  const files = parts.filter(([name, value]) => name === FILE_FIELD && typeof value !== 'string');
  if (files.length > 1) throw unreadableFormError(message('error.field-repeated', { name: FILE_FIELD }));
  const [[, file] = [FILE_FIELD, '']] = files;
  ctx.state.form = createForm(fields.map(({ name, value }) => ({ name, value: encodeURIComponent(value) })));
  ctx.state.file = typeof file === 'string' ? Buffer.alloc(0) : Buffer.from(await file.arrayBuffer());
  return next();
};

async function parse(body: Buffer, contentType: string): Promise<readonly (readonly [string, string | Blob])[]> {
  const parts = await new Response(new Uint8Array(body), { headers: { 'Content-Type': contentType } })
    .formData()
    .then((form) => [...form.entries()])
    .catch(() => undefined);
  if (parts === undefined) throw unreadableFormError(message('error.multipart'));
  if (parts.length > MAX_PARTS) throw unreadableFormError(message('error.too-many-fields', { limit: MAX_PARTS }));
  return parts;
}
