/** `/v1/openapi.json`: 2 MB that are the same for everybody, so made once, sent compressed, and not again to who has them. */
import { digestOf } from '../../db/content.ts'
import { endpoints } from '../../src/api/contracts.gen.ts'
import { apiVersion } from '../../src/api/version.ts'
import { writeDescription } from '../openapi/door.ts'
import { chooseCoding, type Coding, encodeBytes } from './coding.ts'
import { codedTag, etagOf, isKnown } from './etag.ts'

interface Description {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
  readonly coded: Map<Coding, Promise<Uint8Array<ArrayBuffer> | null>>
}

let description: Promise<Description> | undefined

async function describe(): Promise<Description> {
  const bytes = new TextEncoder().encode(await writeDescription(endpoints))
  return { bytes, etag: etagOf(digestOf(bytes)), coded: new Map() }
}

/** Answers a request for the description of the service (RFC 9110: ETag, If-None-Match, Vary). */
export async function answerDescription(request: Request): Promise<Response> {
  const { bytes, etag, coded } = await (description ??= describe())
  const coding = chooseCoding(request.headers.get('accept-encoding'))
  const headers = new Headers({
    'content-type': 'application/json',
    'access-control-allow-origin': '*',
    'cache-control': 'no-cache',
    etag: coding === null ? etag : codedTag(etag, coding),
    vary: 'accept-encoding',
    'x-api-version': apiVersion,
  })
  if (isKnown(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  if (coding === null) return new Response(bytes, { headers })
  const made = coded.get(coding) ?? encodeBytes(bytes, coding)
  coded.set(coding, made)
  headers.set('content-encoding', coding)
  return new Response((await made) ?? bytes, { headers })
}
