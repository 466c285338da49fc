/** Sends the requests of a run. */
import { joinBytes } from '../../src/kernel/bytes.ts'
import type { Received } from '../../src/workflow/answer.ts'
import { NoAnswer } from '../../src/workflow/faults.ts'
import { mockAnswer } from '../../src/workflow/mock.ts'
import type { Request } from '../../src/workflow/request.ts'
import type { World } from '../../src/workflow/session.ts'
import { whileWaiting } from '../deadline.ts'
import { version } from '../version.gen.ts'

const reasonOf = (error: unknown, signal: AbortSignal): string => {
  if (signal.aborted) return 'in time'
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' ? `(${code})` : `(${(error as Error).message.replace(/\.$/, '')})`
}

async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  if (response.body === null) return new Uint8Array()
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += part.byteLength
    if (size > maxBytes)
      throw new NoAnswer(`The answer is larger than ${maxBytes / 1_000_000} MB; --max-answer allows more`)
    parts.push(part)
  }
  return joinBytes(parts)
}

async function send(request: Request, timeoutMs: number, maxBytes: number, stop: AbortSignal): Promise<Received> {
  const late = AbortSignal.timeout(Math.ceil(timeoutMs))
  const headers = new Headers([['User-Agent', `svc/${version}`]])
  for (const [name, value] of request.headers) headers.append(name, value)
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers,
      ...(request.body === null ? {} : { body: request.body }),
      // A redirect is an answer: what follows it would take credentials to a server that nobody named.
      redirect: 'manual',
      signal: AbortSignal.any([late, stop]),
    })
    const body = await readBody(response, maxBytes)
    return { status: response.status, headers: headersOf(response.headers), body }
  } catch (error) {
    if (error instanceof NoAnswer || stop.aborted) throw error
    throw new NoAnswer(`${new URL(request.url).origin} did not answer ${reasonOf(error, late)}`)
  }
}

function headersOf(headers: Headers): (readonly [string, string])[] {
  const cookies = headers.getSetCookie().map((value) => ['set-cookie', value] as const)
  return [...[...headers].filter(([name]) => name !== 'set-cookie'), ...cookies]
}

/** A run against servers. */
export const network = (maxBytes: number, stop: AbortSignal): World => ({
  server: null,
  send: (request, timeoutMs) => whileWaiting(() => send(request, timeoutMs, maxBytes, stop)),
  wait: (ms) => whileWaiting(() => Bun.sleep(ms)),
  now: () => performance.now(),
})

/** A run against answers that are made from the descriptions: nothing is requested, and no retry waits. */
export const mocked: World = {
  server: 'http://mock.invalid',
  send: (_request, _timeoutMs, { called, step }) => Promise.resolve(mockAnswer(called, step)),
  wait: () => Promise.resolve(),
  now: () => performance.now(),
}
