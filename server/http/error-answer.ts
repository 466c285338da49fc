import { SvcError } from '../../src/errors.ts'
import { apiHintOf } from '../../src/errors/api-hints.ts'
import { errorOf, scimMediaType } from '../../src/scim/answer.ts'
import { oauthCodes } from '../../src/api/device.ts'
import { ValidationError } from '../../src/api/wire.ts'

/** "detail": the service's own body; "problem": application/problem+json (RFC 9457); "scim": that of SCIM. */
export type ErrorFormat = 'detail' | 'problem' | 'scim'

/** Where the documentation of this service explains the code: a relative reference, for it is served beside the API. */
const documentationOf = (error: SvcError): string => `/docs/errors#${error.code}`

function headersOf(error: SvcError): Record<string, string> {
  const headers: Record<string, string> = {}
  const detail = error.detail as { allow?: readonly string[]; retry_after?: number }
  if (error.code === 'method-not-allowed') headers.allow = (detail.allow ?? []).join(', ')
  if (detail.retry_after !== undefined) headers['retry-after'] = String(detail.retry_after)
  if (error.status === 401) headers['www-authenticate'] = 'Bearer'
  headers['link'] = `<${documentationOf(error)}>; rel="help"`
  return headers
}

/** A failure as directories read it (RFC 7644, section 3.12), which know 400 and not 422. */
function scimAnswer(error: SvcError, headers: Readonly<Record<string, string>>): Response {
  const status = error.status === 422 ? 400 : error.status
  const syntax = status === 400 ? 'invalidSyntax' : undefined
  const { scim_type: scimType = status === 409 ? 'uniqueness' : syntax } = error.detail as { scim_type?: string }
  const body = errorOf(status, `${error.message} ${apiHintOf(error) ?? ''}`.trim(), scimType)
  return new Response(JSON.stringify(body), { status, headers: { ...headers, 'content-type': scimMediaType } })
}

/**
 * The response to a failure: an `SvcError` as the catalogue says, anything else as `internal` without its words, which
 * may hold what no caller should read.
 */
export function answerError(failure: unknown, requestId: string, format: ErrorFormat): Response {
  const error: SvcError = failure instanceof SvcError ? failure : new SvcError('internal', { request_id: requestId })
  const entries = error instanceof ValidationError ? error.entries : null
  const headers = headersOf(error)
  if (format === 'scim') return scimAnswer(error, headers)
  if (format === 'problem') {
    const body = {
      type: documentationOf(error),
      title: error.message,
      status: error.status,
      detail: apiHintOf(error),
      instance: `urn:svc:request:${requestId}`,
      code: error.code,
      ...error.detail,
      ...(entries === null ? {} : { errors: entries }),
    }
    headers['content-type'] = 'application/problem+json'
    return new Response(JSON.stringify(body), { status: error.status, headers })
  }
  headers['content-type'] = 'application/json'
  const detail = entries ?? { code: error.code, message: error.message, hint: apiHintOf(error), ...error.detail }
  const oauth = oauthCodes.includes(error.code) ? { error: error.code, error_description: error.message } : {}
  return new Response(JSON.stringify({ detail, ...oauth }), { status: error.status, headers })
}
