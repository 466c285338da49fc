import { SvcError } from '../../src/errors.ts'
import type { RenderFormatId } from '../../src/render/render.ts'
import type { Reader } from '../../db/database.ts'
import type { DocumentService } from '../documents/door.ts'
import { findSpec, specName, type FoundSpec, type SpecPlace } from './catalogue.ts'
import { readCursor, writeCursor } from './cursor.ts'
import type { Viewer } from './viewer.ts'

interface ExportQuery {
  readonly format?: RenderFormatId
  readonly class_name?: string
  readonly cursor?: string
  readonly limit_bytes?: number
}

/** The end of a stretch of UTF-8 that begins at `from`: no character is cut in two. */
function endOf(bytes: Uint8Array, from: number, limit: number): number {
  let end = Math.min(bytes.byteLength, from + limit)
  while (end < bytes.byteLength && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return end
}

const routes: Readonly<Record<RenderFormatId, string>> = { openapi: 'schema', 'json-schema': 'json', arazzo: 'arazzo' }

/** Where the whole of it is served. */
function addressOf(publicUrl: string, { tenant, project, version }: FoundSpec, format: RenderFormatId, name?: string) {
  const place = [tenant, project.slug, version.slug, ...(name === undefined ? [] : [name])].map(encodeURIComponent)
  return `${publicUrl}/v1/${routes[format]}/${place.join('/')}`
}

/**
 * A stretch of a rendered document; the cursor holds the digest, so that a document that changed in between is noticed.
 * @throws SvcError `spec-not-found`, `document-invalid`, `cursor-invalid`, `class-not-found`, `no-workflows`
 */
export async function exportSpec(
  read: Reader,
  documents: DocumentService,
  viewer: Viewer,
  place: SpecPlace,
  publicUrl: string,
  { cursor, limit_bytes = 20_000, format = 'openapi', class_name }: ExportQuery,
) {
  const found = await findSpec(read, viewer, place)
  const { bytes, etag, mediaType } = await documents.render(found.version, {
    kind: format,
    className: class_name ?? null,
    syntax: 'json',
    refs: 'bundle',
  })
  const digest = `sha256:${etag.replaceAll('"', '')}`
  const [from, of] = cursor === undefined ? [0, digest] : readCursor('export', cursor, ['number', 'string'])
  if (of !== digest || from < 0 || from >= bytes.byteLength) throw new SvcError('cursor-invalid')
  const end = endOf(bytes, from, limit_bytes)
  return {
    spec: specName(found),
    media_type: mediaType,
    digest,
    total_bytes: bytes.byteLength,
    content: new TextDecoder().decode(bytes.subarray(from, end)),
    next_cursor: end < bytes.byteLength ? writeCursor('export', [end, digest]) : null,
    url: addressOf(publicUrl, found, format, class_name),
  }
}
