/** The requests of a run as HAR 1.2, without credentials. */
import type { Json } from '../../src/kernel/json.ts'
import { readAnswer } from '../../src/workflow/answer.ts'
import type { Call } from '../../src/workflow/result.ts'
import { hidden, isCredentialHeader, type Redaction } from '../../src/workflow/secrets.ts'
import { version } from '../version.gen.ts'

/** Texts of more characters are left out. */
const longestText = 1_000_000

type Headers = readonly (readonly [string, string])[]

const headersOf = (headers: Headers, redaction: Redaction): Json =>
  headers.map(([name, value]) => ({ name, value: isCredentialHeader(name) ? hidden : redaction.text(value) }))

const typeIn = (headers: Headers): string =>
  headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'application/octet-stream'

const textOf = (text: string | null, redaction: Redaction): { readonly text?: string; readonly comment?: string } => {
  if (text === null) return { comment: 'The content is no text.' }
  return text.length > longestText ? { comment: 'The content is too long.' } : { text: redaction.text(text) }
}

function requestOf({ request }: Call, redaction: Redaction): Json {
  const url = redaction.text(request.url)
  const query = [...new URL(request.url).searchParams].map(([name, value]) => ({ name, value: redaction.text(value) }))
  return {
    method: request.method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headersOf(request.headers, redaction),
    queryString: query,
    headersSize: -1,
    bodySize: request.body === null ? 0 : new TextEncoder().encode(request.body).byteLength,
    ...(request.body === null
      ? {}
      : { postData: { mimeType: typeIn(request.headers), params: [], text: '', ...textOf(request.body, redaction) } }),
  }
}

function responseOf({ received, isWhole }: Call, redaction: Redaction): Json {
  const told = { statusText: '', httpVersion: 'HTTP/1.1', cookies: [], redirectURL: '', headersSize: -1 }
  if (received === null)
    return {
      ...told,
      status: 0,
      headers: [],
      content: { size: 0, mimeType: 'x-unknown' },
      bodySize: -1,
      comment: 'No answer',
    }
  const location = received.headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? ''
  return {
    ...told,
    status: received.status,
    headers: headersOf(received.headers, redaction),
    redirectURL: redaction.text(location),
    content: {
      size: received.body.byteLength,
      mimeType: typeIn(received.headers),
      ...(isWhole
        ? textOf(readAnswer(received).text, redaction)
        : { comment: 'The contents of earlier answers were too large to keep this one.' }),
    },
    bodySize: received.body.byteLength,
  }
}

/**
 * Writes the log.
 * @param begun when the run began, in milliseconds since 1970
 */
export function asHar(calls: readonly Call[], begun: number, redaction: Redaction): string {
  const entries = calls.map((call) => ({
    startedDateTime: new Date(begun + call.at).toISOString(),
    time: call.ms,
    request: requestOf(call, redaction),
    response: responseOf(call, redaction),
    cache: {},
    timings: { send: 0, wait: call.ms, receive: 0 },
    comment: `${call.workflow} ${call.step}`,
  }))
  const log = { version: '1.2', creator: { name: 'svc', version }, entries }
  return `${JSON.stringify({ log }, null, 2)}\n`
}
