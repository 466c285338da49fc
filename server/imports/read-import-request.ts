/** Reads the body of an import request in each of its forms: JSON, an archive as it is, a form. */
import { importsApi, type ImportRequest } from '../../src/api/imports.ts'
import type { Input } from '../../src/api/endpoint.ts'
import { yieldToEventLoop } from '../../db/yield.ts'
import { JsonFault, readJson } from '../../src/document/json-steps.ts'
import { defaultLimits } from '../../src/document/limits.ts'
import { SvcError } from '../../src/errors.ts'
import { readImportOverrides, splitOverride } from '../../src/import/override.ts'
import { checkPart, type Context } from '../http/door.ts'

/** An archive that came as bytes. */
interface Uploaded {
  readonly kind: 'uploaded'
  readonly name: string
  readonly bytes: Uint8Array
}

/** A request, whatever form it had. */
export interface ReceivedImport {
  readonly options: Omit<ImportRequest, 'source'>
  readonly source: ImportRequest['source'] | Uploaded
}

const malformed = (reason: string) => new SvcError('request-malformed', { reason })

type CreateInput = Input<typeof importsApi.create>

/**
 * The request of a call. Beside JSON the query stays empty; beside an archive it has the options; a form has the archive in its part
 * "file" and the JSON, without a source, in its part "request".
 * @throws SvcError `request-malformed`, `override-invalid`; ValidationError for JSON that is not in the contract's shape
 */
export async function readImportRequest(
  input: CreateInput,
  context: Pick<Context, 'mediaType' | 'request'>,
): Promise<ReceivedImport> {
  const read = await formOf(input, context)
  readImportOverrides(read.options.overrides ?? {})
  return read
}

async function formOf(input: CreateInput, { mediaType, request }: Pick<Context, 'mediaType' | 'request'>) {
  if (mediaType === null) {
    if (new URL(request.url).search !== '')
      throw malformed('put options into the JSON body; the query is for requests whose body is an archive')
    const { source, ...options } = input.body
    return { options, source }
  }
  // The mount hands over the bytes of what is not JSON.
  const bytes = input.body as unknown as Uint8Array<ArrayBuffer>
  if (bytes.byteLength === 0) throw malformed('the body is empty')
  if (mediaType === 'multipart/form-data') return readForm(bytes, request)
  const { filename = 'upload', override = [], overlay = [], ...options } = input.query ?? {}
  const overrides = Object.fromEntries(override.map(splitOverride))
  return {
    options: {
      ...options,
      ...(override.length === 0 ? {} : { overrides }),
      ...(overlay.length === 0 ? {} : { overlays: overlay.map((path) => ({ path })) }),
    },
    source: { kind: 'uploaded' as const, name: filename, bytes },
  }
}

async function readForm(bytes: Uint8Array<ArrayBuffer>, request: Request): Promise<ReceivedImport> {
  const type = request.headers.get('content-type') ?? ''
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => {
    throw malformed('the body is not a form, as its Content-Type says')
  })
  const file = form.get('file')
  if (file === null || typeof file === 'string') throw malformed('the form has no part "file" with a file name')
  const unknown = [...form.keys()].find((name) => name !== 'file' && name !== 'request')
  if (unknown !== undefined) throw malformed(`the form has a part "${unknown}"; it takes "file" and "request"`)
  return {
    options: await optionsOf(form.get('request')),
    source: {
      kind: 'uploaded',
      name: file.name === '' ? 'upload' : file.name,
      bytes: new Uint8Array(await file.arrayBuffer()),
    },
  }
}

/** Overrides are the longest of them: one for each document. */
const maxOptionBytes = 8 * 1024 * 1024
const maxOptionValues = 100_000

async function optionsOf(part: FormDataEntryValue | null): Promise<Omit<ImportRequest, 'source'>> {
  if (part === null) return {}
  const bytes = typeof part === 'string' ? new TextEncoder().encode(part) : new Uint8Array(await part.arrayBuffer())
  if (bytes.byteLength > maxOptionBytes)
    throw malformed(`the part "request" has more than ${maxOptionBytes.toLocaleString('en')} bytes`)
  const limits = { maxValues: maxOptionValues, maxDepth: defaultLimits.maxDepth }
  const value = await readJson(bytes, limits, yieldToEventLoop).catch((error: unknown) => {
    throw error instanceof JsonFault ? malformed(`the part "request" ${error.message}`) : error
  })
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformed('the part "request" is not an object')
  if ('source' in value) throw malformed('the part "request" must not have a source, since the part "file" is one')
  // Any source satisfies the schema; the one of the form takes its place.
  const whole = { ...value, source: { kind: 'url', url: 'file' } }
  const { source: _, ...options } = checkPart('body', importsApi.create.body, whole) as ImportRequest
  return options
}
