/** An embedding provider on loopback that speaks the API of `POST /v1/embeddings`, for tests. */
export interface ProviderStub {
  readonly url: string
  readonly key: string
  /** Texts of every request that was answered. */
  readonly asked: string[][]
  /** Answers these statuses, one a request, before it works again. */
  readonly failures: number[]
  stop(): Promise<void>
}

/** Words that mean the same share a direction, so that a question finds what it does not name. */
const meanings: Readonly<Record<string, string>> = {
  adopt: 'acquire',
  purchase: 'acquire',
  buy: 'acquire',
  order: 'acquire',
  animal: 'pet',
  animals: 'pet',
  pets: 'pet',
  cat: 'pet',
  erase: 'remove',
  delete: 'remove',
  destroy: 'remove',
}

const dimensions = 96

function directionOf(word: string): number {
  let hash = 7
  for (const letter of meanings[word] ?? word) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return hash % dimensions
}

function embeddingOf(text: string): number[] {
  const vector = Array.from({ length: dimensions }, () => 0.001)
  for (const word of text.toLowerCase().split(/[^a-z]+/)) if (word.length > 2) vector[directionOf(word)]! += 1
  return vector
}

export function startProvider(key: string, port = 0): ProviderStub {
  const asked: string[][] = []
  const failures: number[] = []
  const server = Bun.serve({
    port,
    hostname: '127.0.0.1',
    async fetch(request) {
      const failure = failures.shift()
      if (failure !== undefined) return Response.json({ error: { message: `no: ${key}` } }, { status: failure })
      if (request.method !== 'POST' || new URL(request.url).pathname !== '/v1/embeddings')
        return new Response(null, { status: 404 })
      if (request.headers.get('authorization') !== `Bearer ${key}`)
        return Response.json({ error: { message: `Incorrect API key: ${key}` } }, { status: 401 })
      const { input, model } = (await request.json()) as { input: string[]; model: string }
      asked.push(input)
      const data = input.map((text, index) => ({ object: 'embedding', index, embedding: embeddingOf(text) }))
      // The order of an answer is said by its indexes, not by its places.
      return Response.json({ object: 'list', model, data: data.toReversed(), usage: { total_tokens: 1 } })
    },
  })
  return { url: `http://127.0.0.1:${server.port}/v1`, key, asked, failures, stop: () => server.stop(true) }
}
