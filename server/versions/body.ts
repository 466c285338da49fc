import { utf8Of } from '../../src/document/text.ts'
import { SvcError } from '../../src/errors.ts'

/** A document that a request carries. */
export interface SentDocument {
  /** In UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The name of the file in a form; null for a raw body. */
  readonly name: string | null
}

const fieldNames = ['document', 'file', 'content']

/**
 * The document in a raw body, or the file of a form (`document`, `file`, else its first file).
 * @throws SvcError `request-malformed` for a form that is not one or has no file, `document-invalid` for what is not a text
 */
export async function readDocumentBody(
  bytes: Uint8Array<ArrayBuffer>,
  mediaType: string | null,
  contentType: string,
): Promise<SentDocument> {
  if (mediaType !== 'multipart/form-data') return { bytes: utf8Of(bytes, 'document'), name: null }
  const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData().catch(() => {
    throw new SvcError('request-malformed', { reason: 'the form is not valid multipart/form-data (RFC 7578)' })
  })
  const named = fieldNames.map((name) => form.get(name)).find((value) => value !== null)
  const value = named ?? Array.from(form.values()).find((one) => typeof one !== 'string')
  if (value === undefined)
    throw new SvcError('request-malformed', { reason: 'the form has no file; send one in the field "document"' })
  if (typeof value === 'string') return { bytes: new TextEncoder().encode(value), name: null }
  const name = value.name === '' ? null : value.name
  return { bytes: utf8Of(new Uint8Array(await value.arrayBuffer()), name ?? 'document'), name }
}
