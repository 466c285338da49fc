const bytes = 32

/** A new signing secret, as Standard Webhooks write it: made here, so that only the service and the receiver see it. */
export const newSigningSecret = (): string =>
  `whsec_${btoa(String.fromCodePoint(...crypto.getRandomValues(new Uint8Array(bytes))))}`

/** What the service says of the secrets of a subscription, apart. */
export interface SecretRefs {
  /** "whsec" or "raw". */
  readonly kind: string
  readonly fingerprint: string
  /** The secret before the last rotation, while it signs too. */
  readonly previous: { readonly fingerprint: string; readonly until: string } | null
}

/** Reads a `signingSecretRef`. */
export const readSecretRef = (ref: string): SecretRefs => {
  const [now = '', before = ''] = ref.split(' ')
  const [kind = '', fingerprint = ''] = now.split(':')
  const [, previous, until] = /^previous:([^@]+)@(.+)$/.exec(before) ?? []
  return {
    kind,
    fingerprint,
    previous: previous === undefined || until === undefined ? null : { fingerprint: previous, until },
  }
}
