/** Why a server could not be observed. */
export const observationFailures = [
  'auth-required',
  'unreachable',
  'timeout',
  'too-large',
  'redirected',
  'refused',
  'protocol',
] as const
export type ObservationFailure = (typeof observationFailures)[number]

/** An observation that ended without a surface; the message is a sentence for people. */
export class ObservationFailed extends Error {
  readonly kind: ObservationFailure
  constructor(kind: ObservationFailure, message: string) {
    super(message)
    this.name = 'ObservationFailed'
    this.kind = kind
  }
}
