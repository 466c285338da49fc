import { SvcError } from '../../src/errors.ts'

/** A signing secret as Standard Webhooks read it. */
export interface SigningSecret {
  /** How the text was read: base64 after "whsec_", or its UTF-8 bytes. */
  readonly kind: 'whsec' | 'raw'
  readonly key: Uint8Array
}

const prefix = 'whsec_'
const least = 24
const most = 64
const longestRaw = 512

/**
 * Reads a signing secret: "whsec_" and base64 of 24 to 64 bytes, or any other text of 24 to 512 bytes.
 * @throws SvcError `webhook-secret-weak`
 */
export function readSecret(text: string): SigningSecret {
  const refuse = (reason: string): never => {
    throw new SvcError('webhook-secret-weak', { reason })
  }
  if (!text.startsWith(prefix)) {
    const key = new TextEncoder().encode(text)
    if (key.length < least) refuse(`it has ${key.length} bytes; at least ${least} are required`)
    if (key.length > longestRaw) refuse(`it has ${key.length} bytes; at most ${longestRaw} are allowed`)
    return { kind: 'raw', key }
  }
  const base64 = text.slice(prefix.length)
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.replaceAll('=', '').length % 4 === 1)
    refuse('what follows "whsec_" is not base64')
  const key = new Uint8Array(Buffer.from(base64, 'base64'))
  if (key.length < least || key.length > most)
    refuse(`what follows "whsec_" has ${key.length} bytes; ${least} to ${most} are required`)
  return { kind: 'whsec', key }
}
