import { ProtocolError, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { SvcError } from '../src/errors.ts'
import { apiHintOf } from '../src/errors/api-hints.ts'

/** JSON-RPC codes of refusals, in the range that JSON-RPC leaves to servers; `data.code` says which refusal it is. */
export const refusalCodes = { credentials: -32001, denied: -32003 } as const

const invalidParams = -32602
const internalError = -32603

/** Refusals that concern the caller rather than the question: they are protocol errors, which no model can argue with. */
const codes: Readonly<Partial<Record<string, number>>> = {
  capability_disabled: refusalCodes.denied,
  'scope-denied': refusalCodes.denied,
  'permission-denied': refusalCodes.denied,
  'membership-suspended': refusalCodes.denied,
  'second-factor-setup-required': refusalCodes.denied,
  'credentials-invalid': refusalCodes.credentials,
  'credentials-missing': refusalCodes.credentials,
}

/** The protocol error of a refused caller; null for every other failure. */
export function refusalOf(error: SvcError): ProtocolError | null {
  const { code, message } = error
  const refusal = codes[code]
  return refusal === undefined ? null : new ProtocolError(refusal, message, { code, hint: apiHintOf(error) })
}

const missing = new Set(['spec-not-found', 'operation-not-found', 'class-not-found', 'project-not-found'])

/**
 * The protocol error for a request that has no other way to fail: reading a resource, getting a prompt, completing.
 *
 * @param uri the resource that was asked for; what is not there is then answered as the protocol wants it
 * @param onFault called with what was not expected; the caller learns no more than that it happened
 */
export function protocolErrorOf(error: unknown, uri: string | null, onFault: (fault: unknown) => void): ProtocolError {
  if (error instanceof ProtocolError) return error
  if (!(error instanceof SvcError)) {
    onFault(error)
    return new ProtocolError(internalError, 'The request failed because of an internal error.', { code: 'internal' })
  }
  const { code, message } = error
  const hint = apiHintOf(error)
  if (uri !== null && missing.has(code)) return new ResourceNotFoundError(uri, message)
  return (
    refusalOf(error) ?? new ProtocolError(error.status < 500 ? invalidParams : internalError, message, { code, hint })
  )
}
