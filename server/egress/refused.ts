import { SvcError } from '../../src/errors.ts'

/** Why an exchange with an address failed; the text beside it is for people. */
export type FailureKind =
  | 'dns'
  | 'timeout'
  | 'connection-refused'
  | 'connection'
  | 'tls'
  | 'protocol'
  | 'too-large'
  | 'redirects'

/** An answer that breaks a limit or the protocol; the message ends a sentence. */
export class AnswerRefused extends Error {
  readonly kind: FailureKind
  constructor(message: string, kind: FailureKind) {
    super(message)
    this.kind = kind
  }
}

/** `fetch-failed` with its kind, which programs decide by. */
export class FetchFailed extends SvcError<'fetch-failed'> {
  readonly kind: FailureKind
  constructor(url: string, reason: string, kind: FailureKind) {
    super('fetch-failed', { url, reason })
    this.kind = kind
  }
}

/** Why a connection failed, in words that end a sentence, and as a kind. */
export function failureOf(error: unknown): { readonly reason: string; readonly kind: FailureKind } {
  if (error instanceof AnswerRefused) return { reason: error.message, kind: error.kind }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ECONNREFUSED') return { reason: 'nothing listens there', kind: 'connection-refused' }
  if (/CERT|SIGNED|TLS|SSL|ISSUER|SIGNATURE/.test(code))
    return { reason: `its certificate is not trusted (${code})`, kind: 'tls' }
  if (code === 'HPE_HEADER_OVERFLOW') return { reason: 'the headers of its answer are too large', kind: 'protocol' }
  if (code.startsWith('HPE_')) return { reason: 'it does not speak HTTP', kind: 'protocol' }
  return { reason: `the connection broke${code === '' ? '' : ` (${code})`}`, kind: 'connection' }
}
