import { SvcError } from '../../src/errors.ts'
import { packVector } from '../../db/search/vectors.ts'
import { guardedFetch, type Network, parseAddress, parseNetworks } from '../egress/door.ts'
import type { Embedder } from '../kit/door.ts'

/** Where texts are turned into vectors: any endpoint that answers `POST …/embeddings` as OpenAI's does. */
export interface EmbeddingSettings {
  /** Base address, as "https://host/v1"; with "/embeddings" at its end it is taken as it is. */
  readonly url: string
  readonly key: string
  readonly model: string
}

const timeoutMs = 30_000
const maxBytes = 64 * 1024 * 1024

/**
 * The networks that a configured address opens for itself: an address literal, or localhost, was named by the operator
 * and by no one else. A name must lead to public addresses, or into SVC_EGRESS_ALLOW.
 */
function namedNetworks(url: URL): readonly Network[] {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (host === 'localhost') return parseNetworks('127.0.0.0/8,::1/128')
  if (parseAddress(host) === null) return []
  return parseNetworks(`${host}/${host.includes(':') ? 128 : 32}`)
}

const statusReasons: Readonly<Record<number, string>> = {
  401: 'it refuses the key',
  403: 'it refuses the key',
  404: 'it has no such address or model',
  429: 'it asks to be asked less often',
}

interface Entry {
  readonly index?: number
  readonly embedding?: unknown
}

/**
 * Makes the embedder of a configuration. Requests go through the egress guard; nothing of an answer but its vectors is
 * kept or shown, since providers repeat keys and texts in their errors.
 * @throws SvcError `config-invalid` for what is not a http or https address
 */
export function createEmbedder(settings: EmbeddingSettings, allow: readonly Network[]): Embedder {
  const { url: base, model } = settings
  const url = URL.parse(base.replace(/\/+$/, '').replace(/(\/embeddings)?$/, '/embeddings'))
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new SvcError('config-invalid', { problems: ['SVC_EMBEDDINGS_URL takes an http or https address'] })
  const options = {
    allow: [...allow, ...namedNetworks(url)],
    timeoutMs,
    maxBytes,
    maxRedirects: 0,
    method: 'POST',
  } as const
  return {
    model,
    async embed(texts, signal) {
      const body = new TextEncoder().encode(JSON.stringify({ model, input: texts, encoding_format: 'float' }))
      const authorization = `Bearer ${settings.key}`
      const headers = { 'content-type': 'application/json', accept: 'application/json', authorization }
      const answer = await guardedFetch(url.href, { ...options, headers, body, ...(signal && { signal }) }).catch(
        refused,
      )
      if (answer.status !== 200)
        throw new SvcError('embedding-failed', {
          reason: statusReasons[answer.status] ?? `it answered ${answer.status}`,
        })
      return vectorsOf(answer.bytes, texts.length)
    },
  }
}

function refused(error: unknown): never {
  if (error instanceof SvcError && error.code === 'fetch-failed')
    throw new SvcError('embedding-failed', { reason: String((error.detail as { reason?: unknown }).reason) })
  throw error
}

function vectorsOf(bytes: Uint8Array, expected: number): Uint8Array[] {
  const { data } = parse(bytes)
  const vectors = Array.from<Uint8Array | undefined>({ length: expected })
  let dimensions = 0
  for (const [at, { index = at, embedding }] of data.entries()) {
    if (!isVector(embedding)) throw malformed('contains something that is not a vector')
    dimensions ||= embedding.length
    if (embedding.length !== dimensions) throw malformed('contains vectors of different lengths')
    if (index >= 0 && index < expected) vectors[index] = packVector(embedding)
  }
  return vectors.map((vector) => {
    if (!vector) throw malformed('has fewer vectors than texts were sent')
    return vector
  })
}

const malformed = (what: string) => new SvcError('embedding-failed', { reason: `its answer ${what}` })

const isVector = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((it) => typeof it === 'number' && Number.isFinite(it))

function parse(bytes: Uint8Array): { readonly data: readonly Entry[] } {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data))
      return { data: value.data as Entry[] }
  } catch {
    // Reported below, in the words of this service.
  }
  throw malformed('is not an answer of an embeddings endpoint')
}
