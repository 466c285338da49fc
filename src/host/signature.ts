/** Signatures of releases: apart, since the library takes a moment to load. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto'

/** The public key of Ed25519 (RFC 8032) that 32 bytes in base64 are; null where they are not 32 bytes. */
export function readPublicKey(base64: string): KeyObject | null {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length !== 32) return null
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' })
}

/** Whether a signature in base64 of a text in UTF-8 is by the private key that belongs to a key. */
export function isSignedBy(key: KeyObject, text: string, signature: string): boolean {
  try {
    return verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}
